#!/bin/sh
# Boot a Debian kernel with Bluetooth in QEMU and run a session script in it, on the host's own root file system (read-only).
#   run.sh SESSION.sh OUTDIR
# PYTHON names the interpreter that has bumble. Needs qemu-system-x86 busybox-static kmod cpio; as root, for the session sees the root as it is.
set -eu

session=$(realpath "$1")
out=$(realpath "$2")
python=$(realpath -s "${PYTHON:-/usr/bin/python3}")
here=$(dirname "$(realpath "$0")")
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT

# The kernel and its modules: downloaded and unpacked, not installed
package=$(apt-cache depends linux-image-amd64 | awk '/Depends:/ { print $2; exit }')
version=${package#linux-image-}
(cd "$build" && apt-get download "$package" >/dev/null 2>&1)
dpkg -x "$build/$package"_*.deb "$build/kernel"
depmod -b "$build/kernel" "$version"

# An initramfs with busybox and the modules, in the order in which they load
mkdir -p "$build/root/bin" "$build/root/modules"
cp "$(command -v busybox)" "$build/root/bin/busybox"
cp "$here/init" "$build/root/init"
chmod +x "$build/root/init"
number=100
for name in virtio_pci 9pnet_virtio 9p overlay hci_vhci algif_hash algif_skcipher cmac ecb ecdh_generic; do
    modprobe -d "$build/kernel" -S "$version" --show-depends "$name"
done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' | while read -r file; do
    number=$((number + 1))
    cp "$file" "$build/root/modules/$number-$(basename "$file")"
done
(cd "$build/root" && find . | cpio --quiet -o -H newc | gzip >"$build/initrd")

# KVM is not asked for: emulation is enough and works everywhere
timeout "${LIMIT:-300}" qemu-system-x86_64 -accel tcg,thread=multi -cpu max -smp 2 -m 2048 -nographic -no-reboot -net none \
    -kernel "$build/kernel/boot/vmlinuz-$version" -initrd "$build/initrd" \
    -virtfs "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap" \
    -virtfs "local,path=$out,mount_tag=out,security_model=none" \
    -append "console=ttyS0 quiet panic=-1 session=$session python=$python" </dev/null
