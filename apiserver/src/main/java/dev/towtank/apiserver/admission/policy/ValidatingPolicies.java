package dev.towtank.apiserver.admission.policy;

import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.admission.Admission;
import dev.towtank.apiserver.admission.Annotations;
import dev.towtank.apiserver.admission.Review;
import dev.towtank.apiserver.admission.extension.Activations;
import dev.towtank.apiserver.admission.extension.Prepared;
import dev.towtank.apiserver.admission.extension.ServedSurroundings;
import dev.towtank.apiserver.admission.extension.Subject;
import dev.towtank.apiserver.admission.extension.Surroundings;
import dev.towtank.apiserver.auth.Authorizer;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.kinds.admissionregistration.ValidatingAdmissionPolicies;
import dev.towtank.model.kinds.admissionregistration.ValidatingAdmissionPolicyBindings;

/// Checks what shall be done against the policies that are bound.
public final class ValidatingPolicies implements Admission {

    private final Prepared<Policy> policies;
    private final Prepared<Binding> bindings;
    private final Surroundings around;
    private final Activations activations;
    private final Parameters parameters;
    private final Annotations annotations;

    public ValidatingPolicies(Store store, Catalog catalog, Authorizer authorizer, Annotations annotations) {
        this.policies = new Prepared<>(store, ValidatingAdmissionPolicies.KIND.resource(), Policy::read);
        this.bindings = new Prepared<>(store, ValidatingAdmissionPolicyBindings.KIND.resource(), Binding::read);
        this.around = new ServedSurroundings(store, catalog);
        this.activations = new Activations(around, authorizer);
        this.parameters = new Parameters(store, catalog);
        this.annotations = annotations;
    }

    @Override
    public boolean mayWait(LogicalCluster cluster) {
        return !bindings.of(cluster).isEmpty();
    }

    @Override
    public void check(Review review) {
        var bound = bindings.of(review.cluster());
        if (bound.isEmpty() || !Subject.isAskedAbout(review)) {
            return;
        }
        var subject = Subject.of(review);
        var inspection = new Inspection(subject, around, activations, parameters);
        for (var policy : policies.of(review.cluster())) {
            var mine = bound.stream()
                    .filter(binding -> binding.policy().equals(policy.name()))
                    .toList();
            if (!mine.isEmpty()) {
                inspection.inspect(policy, mine);
            }
        }
        inspection.conclude((key, value) -> annotations.add(review, key, value));
    }
}
