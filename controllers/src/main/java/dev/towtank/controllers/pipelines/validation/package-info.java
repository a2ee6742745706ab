/// What Tekton's webhooks do: fill in defaults, and refuse what cannot be right.
///
/// [Admission] is the way in. Checks return [Problems], whose texts and paths are those of Tekton, also where a
/// path is odd: what is refused here is refused there, in the same words.
@NullMarked
package dev.towtank.controllers.pipelines.validation;

import org.jspecify.annotations.NullMarked;
