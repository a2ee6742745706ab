package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.model.Json;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.Namespaces;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/// Who looks after ClusterExternalSecrets, and what they have to know.
final class ClusterExternalSecrets {

    private final Cache all;
    private final Cache namespaces;
    private final Cache externalSecrets;

    ClusterExternalSecrets(Caches caches) {
        this.all = caches.of(SecretKinds.CLUSTER_EXTERNAL_SECRET);
        this.namespaces = caches.of(Namespaces.KIND);
        this.externalSecrets = caches.of(SecretKinds.EXTERNAL_SECRET);
    }

    Controller<?, ?> controller() {
        return Controller.of(
                        "clusterexternalsecret-controller",
                        SecretKinds.CLUSTER_EXTERNAL_SECRET,
                        this::facts,
                        new ClusterExternalSecretReconciler())
                .wokenBy(Trigger.of(Namespaces.KIND, namespace -> SecretIndexes.here(all, namespace)))
                .wokenBy(Trigger.of(SecretKinds.EXTERNAL_SECRET, this::makers));
    }

    /// Who made it, or wants one of its name there.
    private List<ObjectName> makers(Resource externalSecret) {
        return all.list().stream()
                .filter(each -> each.cluster().equals(externalSecret.cluster())
                        && (ClusterExternalSecretReconciler.name(each).equals(externalSecret.name())
                                || externalSecret
                                        .controller()
                                        .filter(owner -> owner.uid().equals(each.uid()))
                                        .isPresent()))
                .map(ObjectName::of)
                .toList();
    }

    private ClusterExternalSecretFacts facts(Observed<Json.Obj> observed) {
        var source = observed.object();
        var owned = externalSecrets.ownedBy(source.uid());
        var chosen = new ArrayList<Resource>();
        try {
            var selectors = selectors(source.spec());
            var named = source.spec().array("namespaces").strings();
            namespaces.in(source.cluster(), "").stream()
                    .filter(each -> !each.isDeleting())
                    .filter(each -> named.contains(each.name())
                            || selectors.stream().anyMatch(selector -> selector.matches(each.json())))
                    .forEach(chosen::add);
        } catch (StatusError e) {
            return new ClusterExternalSecretFacts(
                    List.of(), "unable to convert labelselector: " + e.text(), new HashMap<>(), owned);
        }
        var present = new HashMap<String, Resource>();
        var name = ClusterExternalSecretReconciler.name(source);
        for (var namespace : chosen) {
            externalSecrets
                    .get(new ObjectName(source.cluster(), namespace.name(), name))
                    .ifPresent(found -> present.put(namespace.name(), found));
        }
        return new ClusterExternalSecretFacts(chosen, "", present, owned);
    }

    private static List<LabelSelector> selectors(Json.Obj spec) {
        var selectors = new ArrayList<LabelSelector>();
        if (spec.get("namespaceSelector") instanceof Json.Obj one) {
            selectors.add(LabelSelector.of(one));
        }
        spec.objects("namespaceSelectors").forEach(each -> selectors.add(LabelSelector.of(each)));
        return selectors;
    }
}
