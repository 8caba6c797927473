// Links instead of libpcap's devices of D-Bus, which carry nothing of Bluetooth LE and need a library that small systems do not have.
int dbus_findalldevs(void *devices, char *message);
void *dbus_create(const char *device, char *message, int *isOurs);

int dbus_findalldevs(void *devices, char *message) {
	(void)devices;
	(void)message;
	return 0;
}

void *dbus_create(const char *device, char *message, int *isOurs) {
	(void)device;
	(void)message;
	*isOurs = 0;
	return 0;
}
