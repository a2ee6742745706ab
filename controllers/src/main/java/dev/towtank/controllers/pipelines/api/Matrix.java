package dev.towtank.controllers.pipelines.api;

import java.util.List;

/// Runs a pipeline task once per combination of values.
public record Matrix(List<Param> params, List<Include> include) {

    /// A combination that is named, or an addition to those there are.
    public record Include(String name, List<Param> params) {}

    public boolean isEmpty() {
        return params.isEmpty() && include.isEmpty();
    }
}
