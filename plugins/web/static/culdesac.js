// Enter searches, Shift+Enter makes a line. Without this script the button does.
for (const box of document.querySelectorAll("textarea[name=q]")) {
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      box.form.requestSubmit();
    }
  });
}
