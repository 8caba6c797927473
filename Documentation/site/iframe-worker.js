/* Search runs in a worker, and browsers have none for pages that are opened from a disk: there, a hidden frame does the same.
   The generator's own search knows such a frame by the name IFrameWorker. */
if (location.protocol === "file:") {
  class IFrameWorker extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      const load = (path) =>
        new Promise((done, failed) => {
          const script = inside.document.createElement("script");
          script.src = new URL(path, location.href).href;
          script.onload = done;
          script.onerror = () => failed(new Error(script.src));
          inside.document.body.append(script);
        });
      inside.importScripts = (...paths) => paths.reduce((before, path) => before.then(() => load(path)), Promise.resolve());
      inside.postMessage = (data) => {
        const message = new MessageEvent("message", { data });
        this.dispatchEvent(message);
        if (this.onmessage) this.onmessage(message);
      };
      this.inside = inside;
      this.ready = load(url);
    }

    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.remove();
    }
  }
  window.IFrameWorker = IFrameWorker;
  window.Worker = IFrameWorker;
}
