/// The in-process way to the API: the `Cluster` port without HTTP and text, with all rules.
@NullMarked
package dev.towtank.apiserver.local;

import org.jspecify.annotations.NullMarked;
