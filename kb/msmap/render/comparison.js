"use strict";
(() => {
  const root = document.documentElement, button = document.getElementById("language");
  const speak = (language) => {
    root.dataset.lang = language;
    root.lang = language === "zh" ? "zh-Hans" : "en";
    button.textContent = language === "zh" ? "English" : "中文";
    button.lang = language === "zh" ? "en" : "zh-Hans";
  };
  button.addEventListener("click", () => speak(root.dataset.lang === "zh" ? "en" : "zh"));
  speak(root.dataset.lang);
})();
