/// `$(…)` variables: what they stand for, and where they are replaced.
///
/// [Replacements] says what each name becomes. [TaskVariables], [PipelineVariables] and [ResultVariables] make
/// them; [TaskSubstitution] and [PipelineSubstitution] put them into a spec. Specs stay JSON, so what nobody
/// here knows survives; which fields are looked at is a table of [ReplacedFields]. Everything of a pass is
/// replaced at once and nothing twice, so a value that looks like a variable is never expanded again in the same
/// pass. As in Tekton, params come first, then the context of the run, then results and workspaces, so a param may
/// name these.
@NullMarked
package dev.towtank.controllers.pipelines.substitution;

import org.jspecify.annotations.NullMarked;
