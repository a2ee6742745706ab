/// The REST interface of Tekton Results, over plain values: whoever has a web server hands requests in.
@NullMarked
package dev.towtank.archive.api;

import org.jspecify.annotations.NullMarked;
