/// One page that tells the story of a run: the graph as a picture, when what ran, with which values, and
/// what it wrote.
///
/// [RunSource] is where the objects and logs come from, [RunStory] what they say, as a value, and
/// [ReportPage] makes the page of it. All but the source is pure. The page needs no network and no script,
/// and says so to the browser.
@NullMarked
package dev.towtank.app.report;

import org.jspecify.annotations.NullMarked;
