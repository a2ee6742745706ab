/// How a run stands, as a value, and how that looks: a tree on a terminal, plain lines, or events in JSON.
@NullMarked
package dev.towtank.app.run.view;

import org.jspecify.annotations.NullMarked;
