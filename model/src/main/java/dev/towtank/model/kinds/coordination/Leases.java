package dev.towtank.model.kinds.coordination;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Names;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;

public final class Leases {

    public static final Kind<Json.Obj> KIND = Kind.namespaced("coordination.k8s.io", "v1", "Lease", "leases")
            .withRules(new LeaseRules())
            .withColumns(Column.ofName(), Column.path("Holder", "spec", "holderIdentity"), Column.ofAge());

    private Leases() {}

    private static final class LeaseRules implements Rules {

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var spec = Field.root(object, errors).at("spec");
            var duration = spec.at("leaseDurationSeconds");
            if (duration.isPresent() && duration.number() <= 0) {
                duration.invalid("must be greater than 0");
            }
            spec.at("leaseTransitions").nonNegative();
            var strategy = spec.at("strategy");
            if (strategy.isPresent()) {
                // Kubernetes names the field twice in its messages.
                var reported = strategy.reportedAt(strategy.path().child("strategy"));
                if (strategy.text().contains("/")) {
                    reported.matches(Names::qualifiedName);
                } else {
                    reported.oneOf("OldestEmulationVersion");
                }
            }
            if (!spec.at("preferredHolder").isEmpty() && strategy.isEmpty()) {
                spec.at("preferredHolder").forbidden("may only be specified if `strategy` is defined");
            }
        }

        @Override
        public boolean allowsUnconditionalUpdate() {
            return false;
        }

        @Override
        public boolean allowsCreateOnUpdate() {
            return true;
        }
    }
}
