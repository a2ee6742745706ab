package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.CustomRun;
import dev.towtank.controllers.pipelines.api.ResolutionRequest;
import dev.towtank.controllers.pipelines.api.VerificationPolicy;
import dev.towtank.model.Records;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// Checks of the kinds that have few rules.
final class OtherChecks {

    private static final Set<String> HASHES = Set.of("", "sha224", "sha256", "sha384", "sha512");

    private OtherChecks() {}

    /// Tells only the first thing that is wrong.
    static Problems of(CustomRun run) {
        var spec = run.spec();
        var params = ParamChecks.given(spec.params()).via("spec.params");
        var checks = List.of(
                TaskChecks.metadata(run.metadata()),
                Records.write(spec).isEmpty() ? Problems.missing("spec") : Problems.none(),
                customWhat(spec),
                spec.status().isEmpty() && !spec.statusMessage().isEmpty()
                        ? Problems.invalid(
                                "statusMessage should not be set if status is not set, but it is currently set to "
                                        + spec.statusMessage(),
                                "statusMessage")
                        : Problems.none(),
                params,
                WorkspaceChecks.bindings(spec.workspaces()).via("spec.workspaces"));
        return checks.stream().filter(found -> !found.isEmpty()).findFirst().orElseGet(Problems::none);
    }

    private static Problems customWhat(CustomRun.Spec spec) {
        if (spec.customRef().isPresent() && spec.customSpec().isPresent()) {
            return Problems.multipleOneOf("spec.customRef", "spec.customSpec");
        }
        if (spec.customRef().isPresent()) {
            var ref = spec.customRef().get();
            return type("spec.customRef", ref.apiVersion(), ref.kind());
        }
        if (spec.customSpec().isPresent()) {
            var embedded = spec.customSpec().get();
            return type("spec.customSpec", embedded.apiVersion(), embedded.kind());
        }
        return Problems.missingOneOf("spec.customRef", "spec.customSpec");
    }

    private static Problems type(String path, String apiVersion, String kind) {
        if (apiVersion.isEmpty()) {
            return Problems.missing(path + ".apiVersion");
        }
        return kind.isEmpty() ? Problems.missing(path + ".kind") : Problems.none();
    }

    static Problems of(ResolutionRequest request) {
        var type = request.metadata().labels().getOrDefault(ResolutionRequest.TYPE_LABEL, "");
        return type.isEmpty() ? Problems.missing("meta.labels." + ResolutionRequest.TYPE_LABEL) : Problems.none();
    }

    static Problems of(VerificationPolicy policy) {
        var spec = policy.spec();
        var problems = Problems.none().add(TaskChecks.metadata(policy.metadata()));
        if (spec.resources().isEmpty()) {
            problems.add(Problems.missing("resources"));
        }
        spec.resources().forEach(resource -> problems.add(pattern(resource.pattern())));
        if (spec.authorities().isEmpty()) {
            problems.add(Problems.missing("authorities"));
        }
        for (int i = 0; i < spec.authorities().size(); i++) {
            var key = spec.authorities().get(i).key();
            if (key.isPresent()) {
                problems.add(key(key.get()).viaFieldIndex("key", i));
            }
        }
        if (!Set.of("", "enforce", "warn").contains(spec.mode())) {
            problems.add(Problems.invalid("available values are: enforce, warn, but got: " + spec.mode(), "mode"));
        }
        return problems;
    }

    private static Problems pattern(String pattern) {
        try {
            Pattern.compile(pattern);
            return Problems.none();
        } catch (PatternSyntaxException e) {
            return Problems.invalid(
                    pattern,
                    "ResourcePattern",
                    "resourcePattern cannot be compiled by regex: error parsing regexp: " + e.getDescription());
        }
    }

    private static Problems key(VerificationPolicy.Key key) {
        int sources = (key.data().isEmpty() ? 0 : 1)
                + (key.kms().isEmpty() ? 0 : 1)
                + (key.secretRef().isPresent() ? 1 : 0);
        var problems = Problems.none();
        if (sources == 0) {
            problems.add(Problems.missingOneOf("data", "kms", "secretref"));
        } else if (sources > 1) {
            problems.add(Problems.multipleOneOf("data", "kms", "secretref"));
        }
        return HASHES.contains(key.hashAlgorithm().toLowerCase(Locale.ROOT))
                ? problems
                : problems.add(Problems.invalid(key.hashAlgorithm(), "HashAlgorithm"));
    }
}
