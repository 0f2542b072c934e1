// The worker: the page hands over its compiled program, which then serves instead of drawing.
self.onmessage = async ({ data }) => {
  self.onmessage = null;
  const { default: init } = await import("./ebbline-web.js");
  await init({ module_or_path: data });
};
