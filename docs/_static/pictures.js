// A picture of an example opens alone, and scrolls on a phone as those of the other pages.
"use strict";

addEventListener("DOMContentLoaded", () => {
  for (const picture of document.querySelectorAll("img.sphx-glr-single-img")) {
    const link = document.createElement("a");
    link.className = "reference";
    link.href = picture.src;
    picture.replaceWith(link);
    link.append(picture);
  }
});
