/// Creates examples of pipelines the way that Tekton's own test does, and tells which of them succeed: an [Example] is
/// tried by a [Trial], whose [Evidence] tells what went wrong from what this machine cannot give.
@NullMarked
package dev.towtank.app.conformance;

import org.jspecify.annotations.NullMarked;
