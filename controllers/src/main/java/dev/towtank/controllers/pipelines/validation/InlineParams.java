package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.Param;
import dev.towtank.controllers.pipelines.api.ParamSpec;
import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.controllers.pipelines.api.PipelineRunSpec;
import dev.towtank.controllers.pipelines.api.PipelineSpec;
import dev.towtank.controllers.pipelines.api.PropertySpec;
import dev.towtank.controllers.pipelines.api.TaskRunSpec;
import dev.towtank.controllers.pipelines.api.TaskSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The params that a spec inside a run can use: those it declares, and those that the run gives without asking.
final class InlineParams {

    private final Map<String, ParamSpec> byName = new TreeMap<>();
    private final Problems problems = Problems.none();

    private InlineParams() {}

    static Problems of(TaskRunSpec run, TaskSpec task, AllowedFeatures gate) {
        var params = new InlineParams();
        run.params().forEach(params::give);
        task.params().forEach(params::declare);
        return task.steps().isEmpty() ? params.problems : params.problems.add(params.stepProblems(task, gate));
    }

    static Problems of(PipelineRunSpec run, PipelineSpec pipeline, AllowedFeatures gate) {
        var params = new InlineParams();
        run.params().forEach(params::give);
        pipeline.params().forEach(params::declare);
        for (var task : pipeline.tasks()) {
            task.params().forEach(params::extend);
            task.taskSpec().ifPresent(spec -> spec.params().forEach(params::declare));
        }
        var problems = params.problems;
        for (var task : pipeline.tasks()) {
            task.taskSpec()
                    .filter(spec -> !spec.steps().isEmpty())
                    .ifPresent(spec -> problems.add(params.stepProblems(spec.taskSpec(), gate)));
        }
        if (pipeline.tasks().isEmpty()) {
            return problems;
        }
        return problems.add(PipelineChecks.params(pipeline.tasks(), params.all(), gate))
                .add(VariableChecks.taskParams(pipeline.tasks(), params.all()));
    }

    private List<ParamSpec> all() {
        return List.copyOf(byName.values());
    }

    private Problems stepProblems(TaskSpec task, AllowedFeatures gate) {
        var steps = StepUsage.ofAll(task.steps());
        return Problems.none()
                .add(ParamChecks.types(all()))
                .add(ParamChecks.declarations(all(), steps, gate))
                .add(ParamChecks.usage(all(), steps));
    }

    private void give(Param param) {
        var value = param.value();
        byName.put(param.name(), spec(param.name(), value.type(), properties(value), value, List.of()));
    }

    private void extend(Param param) {
        var known = byName.get(param.name());
        if (known == null) {
            give(param);
        } else if (param.value() instanceof ParamValue.Keyed(var entries)) {
            var properties = new HashMap<>(known.properties());
            properties.putAll(properties(param.value()));
            var value = withEntries(known, entries);
            byName.put(param.name(), spec(known.name(), known.type(), properties, value, known.allowed()));
        }
    }

    private void declare(ParamSpec declared) {
        var given = byName.get(declared.name());
        if (given == null) {
            byName.put(declared.name(), declared);
            return;
        }
        var value = given.defaultValue().orElse(ParamValue.of(""));
        var entries = declared.defaultValue().orElse(value);
        boolean hasObject =
                entries instanceof ParamValue.Keyed && declared.rawDefault().isPresent();
        if ((hasObject || given.type().equals(ParamValue.OBJECT))
                && declared.properties().isEmpty()) {
            problems.add(Problems.missing(declared.name() + ".properties"));
            return;
        }
        if (given.type().equals(ParamValue.OBJECT)) {
            var merged = hasObject && entries instanceof ParamValue.Keyed(var more) ? withEntries(given, more) : value;
            byName.put(
                    declared.name(), spec(given.name(), given.type(), declared.properties(), merged, given.allowed()));
        }
    }

    private static ParamValue withEntries(ParamSpec spec, Map<String, String> entries) {
        var merged = new HashMap<String, String>();
        if (spec.defaultValue().orElse(ParamValue.of("")) instanceof ParamValue.Keyed(var known)) {
            merged.putAll(known);
        }
        merged.putAll(entries);
        return new ParamValue.Keyed(merged);
    }

    private static Map<String, PropertySpec> properties(ParamValue value) {
        var properties = new HashMap<String, PropertySpec>();
        if (value instanceof ParamValue.Keyed(var entries)) {
            entries.keySet().forEach(key -> properties.put(key, new PropertySpec(ParamValue.STRING)));
        }
        return properties;
    }

    private static ParamSpec spec(
            String name, String type, Map<String, PropertySpec> properties, ParamValue value, List<String> allowed) {
        return new ParamSpec(name, type, "", properties, Optional.of(value.json()), allowed);
    }
}
