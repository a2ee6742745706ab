/// Tekton's operator: one object, TektonConfig `config`, says how pipelines, triggers, the archive and
/// Pipelines-as-Code behave.
@NullMarked
package dev.towtank.controllers.operator;

import org.jspecify.annotations.NullMarked;
