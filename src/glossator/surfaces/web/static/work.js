// The page of work asks again and again, and reviews when it is told to. An answer that is not the part that was asked
// for (a log-in, a refusal, a failure) is told in words and not put in its place.
(() => {
  "use strict";
  const PARTS = { "work-part": "what stands here is no longer fresh", "review-results": "nothing was reviewed" };
  const say = (words) => {
    const status = document.getElementById("work-status");
    if (status && status.textContent !== words) status.textContent = words;
  };
  let before = "";
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.target?.id !== "review-results") return;
    before = document.getElementById("work-status").textContent;
    say("Reviewing …");
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target?.id === "review-results") say(before);
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, target } = event.detail;
    const part = target?.id;
    if (!PARTS[part] || (xhr.status === 200 && xhr.responseText.includes(`id="${part}"`))) return;
    event.detail.shouldSwap = false;
    const told = new DOMParser().parseFromString(xhr.responseText, "text/html").querySelector("main .problem p")?.textContent;
    say(`The server answered with ${xhr.status}; ${PARTS[part]}.${told ? ` ${told}` : ""}`);
  });
  document.addEventListener("htmx:sendError", (event) => {
    const part = event.detail.target?.id;
    if (PARTS[part]) say(`The server does not answer; ${PARTS[part]}.`);
  });
})();
