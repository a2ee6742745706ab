package dev.towtank.model.kinds.admissionregistration;

import dev.towtank.model.Column;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;

public final class ValidatingWebhookConfigurations {

    public static final Kind<Json.Obj> KIND = Kind.clusterScoped(
                    "admissionregistration.k8s.io",
                    "v1",
                    "ValidatingWebhookConfiguration",
                    "validatingwebhookconfigurations")
            .withCategories("api-extensions")
            .withRules(new Webhooks(false))
            .withColumns(Column.ofName(), Webhooks.COUNT, Column.ofAge());

    private ValidatingWebhookConfigurations() {}
}
