/// Serves models as KServe does: an InferenceService has revisions, each a process with one model, behind one address.
@NullMarked
package dev.towtank.controllers.serving;

import org.jspecify.annotations.NullMarked;
