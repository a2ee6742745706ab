package dev.towtank.apiserver.admission.policy;

import dev.towtank.apiserver.admission.extension.Criteria;
import dev.towtank.model.Json;
import dev.towtank.model.LabelSelector;
import java.util.List;
import java.util.Optional;

/// A ValidatingAdmissionPolicyBinding: where a policy counts, with which parameters, and what follows from it.
record Binding(String name, String policy, Criteria criteria, Optional<ParamRef> params, List<String> actions) {

    /// @param name of the one object meant, or empty where a selector says which
    /// @param namespace empty for the one of the request
    /// @param required whether a request is refused where nothing is found
    record ParamRef(String name, String namespace, LabelSelector selector, boolean required) {}

    static Binding read(Json.Obj binding) {
        var spec = binding.object("spec");
        return new Binding(
                binding.string("metadata", "name"),
                spec.string("policyName"),
                Criteria.ofPolicy(spec.object("matchResources")),
                spec.get("paramRef") instanceof Json.Obj reference
                        ? Optional.of(reference(reference))
                        : Optional.empty(),
                spec.array("validationActions").strings());
    }

    private static ParamRef reference(Json.Obj reference) {
        return new ParamRef(
                reference.string("name"),
                reference.string("namespace"),
                LabelSelector.of(reference.object("selector")),
                reference.string("parameterNotFoundAction").equals("Deny"));
    }
}
