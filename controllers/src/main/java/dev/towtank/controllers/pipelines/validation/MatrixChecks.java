package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.Matrix;
import dev.towtank.controllers.pipelines.api.Param;
import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.controllers.pipelines.api.PipelineTask;
import dev.towtank.controllers.pipelines.api.ResultSpec;
import dev.towtank.controllers.pipelines.substitution.MatrixExpansion;
import dev.towtank.controllers.pipelines.substitution.ResultReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Checks of matrices, and of the results of matrixed tasks where others use them.
final class MatrixChecks {

    private MatrixChecks() {}

    static Problems of(List<PipelineTask> tasks, AllowedFeatures gate) {
        var problems = Problems.none();
        for (int i = 0; i < tasks.size(); i++) {
            var task = tasks.get(i);
            var matrix = task.matrix();
            if (matrix.isPresent()) {
                problems.add(of(task, matrix.get(), gate).viaIndex(i));
            }
        }
        return problems.add(consumers(tasks));
    }

    private static Problems of(PipelineTask task, Matrix matrix, AllowedFeatures gate) {
        var problems = Problems.none();
        if (task.isMatrixed()) {
            problems.add(gate.beta("matrix"));
            long count = MatrixExpansion.count(matrix);
            int limit = gate.defaults().maxMatrixCombinations();
            problems.add(count > limit ? Problems.outOfBounds(count, 0, limit, "matrix") : Problems.none());
            problems.add(uniqueParams(matrix));
        }
        var names = names(matrix);
        task.params().stream()
                .map(Param::name)
                .filter(names::contains)
                .forEach(name -> problems.add(Problems.multipleOneOf("matrix[" + name + "]", "params[" + name + "]")));
        return problems;
    }

    private static Set<String> names(Matrix matrix) {
        var names = new HashSet<String>();
        matrix.params().forEach(param -> names.add(param.name()));
        matrix.include().forEach(include -> include.params().forEach(param -> names.add(param.name())));
        return names;
    }

    private static Problems uniqueParams(Matrix matrix) {
        var problems = Problems.none().add(ParamChecks.ofTask(matrix.params()).via("matrix.params"));
        for (int i = 0; i < matrix.include().size(); i++) {
            problems.add(ParamChecks.ofTask(matrix.include().get(i).params()).via("matrix.include[" + i + "].params"));
        }
        return problems;
    }

    private static Problems consumers(List<PipelineTask> tasks) {
        var byName = new HashMap<String, PipelineTask>();
        tasks.forEach(task -> byName.put(task.name(), task));
        var last = new ArrayList<ResultReference>();
        for (var task : tasks) {
            for (var param : task.params()) {
                var names = ResultReference.in(param.value()).stream()
                        .filter(ResultReference::looksLike)
                        .toList();
                if (names.isEmpty()) {
                    continue;
                }
                last.clear();
                var problems = consumed(names, byName, last);
                if (!problems.isEmpty()) {
                    return problems;
                }
            }
        }
        return onlyTexts(last, byName);
    }

    private static Problems consumed(
            List<String> names, Map<String, PipelineTask> tasks, List<ResultReference> references) {
        var problems = Problems.none();
        for (var name : names) {
            var producer = Optional.ofNullable(tasks.get(name.split("\\.", -1)[1]));
            if (producer.filter(PipelineTask::isMatrixed).isEmpty()) {
                continue;
            }
            if (!name.endsWith("[*]")) {
                problems.add(Problems.generic("A matrixed pipelineTask can only be consumed in aggregate using [*]"
                        + " notation, but is currently set to " + name));
            }
            ResultReference.parse(name).ifPresent(references::add);
        }
        return problems;
    }

    // Only what the last param of the last consumer uses is looked at: so it is in Tekton.
    private static Problems onlyTexts(List<ResultReference> references, Map<String, PipelineTask> tasks) {
        var problems = Problems.none();
        for (var reference : references) {
            declared(reference.task(), tasks).stream()
                    .filter(result -> result.name().equals(reference.result()))
                    .filter(result -> !result.type().equals(ParamValue.STRING))
                    .forEach(result -> problems.add(Problems.invalid(
                            "Matrixed PipelineTasks emitting results must have an underlying type string, but result "
                                    + result.name() + " has type " + result.type() + " in pipelineTask",
                            "")));
        }
        return problems;
    }

    private static List<ResultSpec> declared(String name, Map<String, PipelineTask> tasks) {
        var task = tasks.get(name);
        if (task == null) {
            return List.of();
        }
        var embedded = task.taskRef().isPresent()
                ? Optional.ofNullable(tasks.get(task.taskRef().get().name())).flatMap(PipelineTask::taskSpec)
                : task.taskSpec();
        return embedded.map(spec -> spec.results()).orElse(List.of());
    }
}
