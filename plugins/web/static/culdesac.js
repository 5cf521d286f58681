// Enter searches, Shift+Enter makes a line. Without this script the button does.
for (const box of document.querySelectorAll("textarea[name=q]")) {
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      box.form.requestSubmit();
    }
  });
}

// On a narrow page the filters start folded: the results come first. A wide one has no handle to open them with, so they
// open when it becomes wide. Without this script they are open.
const narrow = matchMedia("(max-width: 44rem)");
const unfold = () => {
  for (const fold of document.querySelectorAll("details.fold")) {
    fold.open = !narrow.matches;
  }
};
narrow.addEventListener("change", unfold);
unfold();

// A button at every block of code, and at every workaround, copies it as its author wrote it. The word is the page's.
const words = document.body.dataset;
for (const block of document.querySelectorAll("article pre, article .workarounds .rich:not(:has(pre), .original *)")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = words.copy;
  button.addEventListener("click", async () => {
    const text = block.dataset.text ?? block.textContent.replace(/\n$/, "");
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // No clipboard without HTTPS, or it was refused: select the text, the reader's own keys copy it.
      getSelection().selectAllChildren(block);
      return;
    }
    button.textContent = words.copied;
    setTimeout(() => { button.textContent = words.copy; }, 2000);
  });
  const frame = document.createElement("div");
  frame.className = "copyable";
  block.replaceWith(frame);
  frame.append(block, button);
}
