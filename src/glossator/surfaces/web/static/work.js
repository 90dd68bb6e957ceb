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
  let fault = null; // what was said of a failure, and what stood there before it
  const fail = (words) => {
    const status = document.getElementById("work-status");
    fault = { words, before: fault?.words === status.textContent ? fault.before : status.textContent };
    say(words);
  };
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.target?.id !== "review-results") return;
    before = document.getElementById("work-status").textContent;
    say("Reviewing …");
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target?.id === "review-results") say(before);
    if (event.detail.target?.id === "work-part" && fault) {
      if (document.getElementById("work-status").textContent === fault.words) say(fault.before);
      fault = null;
    }
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, target } = event.detail;
    const part = target?.id;
    if (!PARTS[part] || (xhr.status === 200 && xhr.responseText.includes(`id="${part}"`))) return;
    event.detail.shouldSwap = false;
    const told = new DOMParser().parseFromString(xhr.responseText, "text/html").querySelector("main .problem p")?.textContent;
    fail(`The server answered with ${xhr.status}; ${PARTS[part]}.${told ? ` ${told}` : ""}`);
  });
  document.addEventListener("htmx:sendError", (event) => {
    const part = event.detail.target?.id;
    if (PARTS[part]) fail(`The server does not answer; ${PARTS[part]}.`);
  });
})();
