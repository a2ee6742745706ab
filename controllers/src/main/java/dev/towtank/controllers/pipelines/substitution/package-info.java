/// `$(…)` variables: what they stand for, and where they are replaced.
///
/// [Replacements] says what each name becomes. [TaskVariables], [PipelineVariables] and [ResultVariables] make
/// them; [TaskSubstitution] and [PipelineSubstitution] put them into a spec. Specs stay JSON, so what nobody
/// here knows survives; which fields are looked at is a table of [Fields]. Everything is replaced at once and
/// nothing twice, so a value that looks like a variable is never expanded again in the same pass.
@NullMarked
package dev.towtank.controllers.pipelines.substitution;

import org.jspecify.annotations.NullMarked;
