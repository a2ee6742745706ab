package dev.towtank.controllers.pipelines.api;

import java.util.List;

/// One condition of a pipeline task or a step: an operator on values, or an expression in CEL.
public record When(String input, String operator, List<String> values, String cel) {}
