package dev.towtank.apiserver.admission.policy;

import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.admission.Passage;
import dev.towtank.apiserver.admission.extension.Activations;
import dev.towtank.apiserver.admission.extension.Form;
import dev.towtank.apiserver.admission.extension.Subject;
import dev.towtank.apiserver.admission.extension.Surroundings;
import dev.towtank.apiserver.admission.policy.Parameters.Misconfigured;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// One request under the eyes of all policies: it goes through all of them before the first refusal counts.
final class Inspection {

    private static final int MOST_FAILURES = 50;
    private static final int LONGEST_NOTE = 10 * 1024;

    private final Subject subject;
    private final Surroundings around;
    private final Activations activations;
    private final Parameters parameters;
    private final Passage passage = Passage.current();

    private @Nullable StatusError refusal;
    private final List<Json> audited = new ArrayList<>();
    private final Map<String, Set<String>> notes = new LinkedHashMap<>();

    Inspection(Subject subject, Surroundings around, Activations activations, Parameters parameters) {
        this.subject = subject;
        this.around = around;
        this.activations = activations;
        this.parameters = parameters;
    }

    void inspect(Policy policy, List<Binding> bindings) {
        Optional<Form> form;
        try {
            form = policy.criteria().match(subject, around);
        } catch (StatusError e) {
            misconfigured(policy, null, e.text());
            return;
        }
        if (form.isEmpty()) {
            return;
        }
        Optional<Served> kind;
        try {
            kind = policy.paramKind().isEmpty()
                    ? Optional.empty()
                    : Optional.of(parameters.served(
                            subject.cluster(), policy.paramKind().get()));
        } catch (Misconfigured e) {
            misconfigured(policy, null, e.text());
            return;
        }
        for (var binding : bindings) {
            try {
                if (binding.criteria().match(subject, around).isPresent()) {
                    evaluate(policy, binding, form.get(), kind);
                }
            } catch (Misconfigured e) {
                misconfigured(policy, binding, e.text());
            } catch (StatusError e) {
                misconfigured(policy, binding, e.text());
            }
        }
    }

    private void evaluate(Policy policy, Binding binding, Form form, Optional<Served> kind) throws Misconfigured {
        var namespace = namespace();
        if (kind.isEmpty() || binding.params().isEmpty()) {
            act(policy, binding, policy.evaluate(activations.of(subject, form, null, namespace)));
            return;
        }
        for (var params : parameters.collect(
                subject.cluster(), kind.get(), binding.params().get(), subject.namespace())) {
            act(policy, binding, policy.evaluate(activations.of(subject, form, params, namespace)));
        }
    }

    private Json.@Nullable Obj namespace() {
        boolean isNamespace =
                subject.form().group().isEmpty() && subject.form().resource().equals("namespaces");
        if (isNamespace || subject.namespace().isEmpty()) {
            return null;
        }
        return around.namespace(subject.cluster(), subject.namespace())
                .orElseThrow(() -> StatusError.notFound(new GroupResource("", "namespaces"), subject.namespace()));
    }

    private void act(Policy policy, Binding binding, Policy.Result result) {
        for (var failure : result.failures()) {
            for (var action : binding.actions()) {
                switch (action) {
                    case "Deny" -> deny(policy, binding, failure.message(), failure.reason());
                    case "Warn" ->
                        passage.warn("Validation failed for ValidatingAdmissionPolicy '" + policy.name()
                                + "' with binding '" + binding.name() + "': " + failure.message());
                    case "Audit" -> audit(policy, binding, failure);
                    default -> {
                        // Validation lets no other action in.
                    }
                }
            }
        }
        result.broken().forEach(message -> deny(policy, binding, message, "Invalid"));
        for (var note : result.notes()) {
            notes.computeIfAbsent(policy.name() + "/" + note.key(), _ -> new LinkedHashSet<>())
                    .add(note.value().length() > LONGEST_NOTE ? note.value().substring(0, LONGEST_NOTE) : note.value());
        }
    }

    private void misconfigured(Policy policy, @Nullable Binding binding, String why) {
        if (!policy.failsOpen()) {
            var what = binding == null ? "failed to configure policy: " : "failed to configure binding: ";
            deny(policy, binding, what + why, "Invalid");
        }
    }

    private void deny(Policy policy, @Nullable Binding binding, String message, String reason) {
        if (refusal != null) {
            return;
        }
        var who = "ValidatingAdmissionPolicy '" + policy.name() + "'"
                + (binding == null ? "" : " with binding '" + binding.name() + "'");
        var text = who + " denied request: " + message;
        var forbidden = subject.forbidden(text);
        var causes = Json.Arr.of(Json.Obj.of("message", Json.of(text)));
        refusal = new StatusError(
                switch (reason) {
                    case "Forbidden" -> StatusError.Reason.FORBIDDEN;
                    case "RequestEntityTooLarge" -> StatusError.Reason.REQUEST_TOO_LARGE;
                    default -> StatusError.Reason.INVALID;
                },
                forbidden.text(),
                forbidden.details().with("causes", causes));
    }

    private void audit(Policy policy, Binding binding, Policy.Failure failure) {
        if (audited.size() < MOST_FAILURES) {
            audited.add(Json.Obj.builder()
                    .put("message", failure.message())
                    .put("policy", policy.name())
                    .put("binding", binding.name())
                    .put("expressionIndex", failure.index())
                    .put("validationActions", Json.Arr.ofStrings(binding.actions()))
                    .build());
        }
    }

    /// Writes down what is to be written down, and refuses what is to be refused.
    void conclude(BiConsumer<String, String> annotations) {
        notes.forEach((key, values) -> annotations.accept(key, String.join(", ", values)));
        if (!audited.isEmpty()) {
            annotations.accept(
                    "validation.policy.admission.k8s.io/validation_failure", new Json.Arr(audited).toString());
        }
        if (refusal != null) {
            throw refusal;
        }
    }
}
