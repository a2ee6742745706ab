package dev.towtank.controllers.testclusters.templates;

import dev.towtank.cluster.Gate;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.crd.KindBehaviour;
import dev.towtank.model.kinds.core.Secrets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// Who may have an instance, and how many. What one takes of a quota is written together with it, so however many are
/// asked for at once, no more are made than are allowed.
public final class TemplateGate implements Gate {

    private static final String INSTANCES = "vclustertemplateinstance.kb.io";
    private static final String QUOTAS = "vclustertemplatequota.kb.io";

    @Override
    public List<Kind<?>> kinds() {
        return List.of(ClusterKinds.INSTANCE, ClusterKinds.QUOTA);
    }

    private static boolean isInstance(Entry entry) {
        return entry.kind().kind().equals(ClusterKinds.INSTANCE.kind());
    }

    @Override
    public Json.Obj change(Entry entry, World world) {
        if (!isInstance(entry) || !entry.isCreation()) {
            return entry.object();
        }
        var resource = entry.resource();
        var finalizers = new ArrayList<>(resource.finalizers());
        if (!finalizers.contains(Instance.FINALIZER)) {
            finalizers.add(Instance.FINALIZER);
        }
        var annotations = new LinkedHashMap<>(resource.annotations());
        annotations.put(Instance.REQUESTER, entry.user());
        return entry.object()
                .with(List.of("metadata", "finalizers"), Json.Arr.ofStrings(finalizers))
                .with(List.of("metadata", "annotations"), Json.Obj.ofStrings(annotations));
    }

    @Override
    public void check(Entry entry, World world) {
        if (!isInstance(entry)) {
            quotaProblem(entry, world).ifPresent(why -> {
                throw KindBehaviour.denied(QUOTAS, why);
            });
            return;
        }
        var old = entry.old();
        var why = old == null ? newProblem(entry, world) : changeProblem(entry.object(), old);
        why.ifPresent(text -> {
            throw denied(text);
        });
    }

    private static StatusError denied(String why) {
        return KindBehaviour.denied(INSTANCES, why);
    }

    private static Optional<String> changeProblem(Json.Obj object, Json.Obj old) {
        if (!object.object("spec").equals(old.object("spec"))) {
            return Optional.of("spec is immutable");
        }
        return requester(object).equals(requester(old))
                ? Optional.empty()
                : Optional.of("cluster requester cannot be changed");
    }

    private static String requester(Json.Obj object) {
        return object.string("metadata", "annotations", Instance.REQUESTER);
    }

    private static Optional<String> newProblem(Entry entry, World world) {
        var instance = new Instance(entry.resource());
        var name = new ObjectName(LogicalCluster.DEFAULT, "", instance.template());
        var template = templated(entry.object());
        if (template.isPresent()) {
            return template;
        }
        if (!instance.hasOwnCluster()) {
            return world.get(ClusterKinds.SETUP, name).isEmpty()
                    ? Optional.of("cluster template setup '" + instance.template() + "' not found")
                    : secretProblem(entry, world);
        }
        if (world.get(ClusterKinds.TEMPLATE, name).isEmpty()) {
            return Optional.of("cluster template '" + instance.template() + "' not found");
        }
        return quota(entry, world).flatMap(quota -> used(entry, world).refusal(quota, instance.template()));
    }

    /// A value goes into the template of an ApplicationSet, where it would be one itself.
    private static Optional<String> templated(Json.Obj object) {
        return object.objects("spec", "parameters").stream()
                .filter(each -> each.string("value").contains("{{")
                        || each.string("name").contains("{{"))
                .map(each -> "parameter '" + each.string("name") + "' must not contain '{{'")
                .findFirst();
    }

    private static Optional<String> secretProblem(Entry entry, World world) {
        var name = entry.object().string("spec", "kubeconfigSecretRef");
        var secret = world.get(Secrets.KIND, ObjectName.of(entry.namespace(), name));
        if (secret.isEmpty()) {
            return Optional.of("secret '" + name + "' not found");
        }
        return Objects.value(secret.get(), "kubeconfig").isEmpty()
                ? Optional.of("secret '" + name + "' does not contain 'kubeconfig' data")
                : Optional.empty();
    }

    private static Optional<Resource> quota(Entry entry, World world) {
        return world.list(ClusterKinds.QUOTA, LogicalCluster.DEFAULT, entry.namespace()).stream()
                .findFirst();
    }

    private static QuotaCount used(Entry entry, World world) {
        return QuotaCount.of(
                world.list(ClusterKinds.INSTANCE, LogicalCluster.DEFAULT, entry.namespace()),
                template -> world.get(ClusterKinds.TEMPLATE, new ObjectName(LogicalCluster.DEFAULT, "", template))
                        .map(each -> each.spec().integer("cost"))
                        .orElse(0L));
    }

    @Override
    public List<Companion> alongside(Entry entry, World world) {
        if (!isInstance(entry) || !entry.isCreation() || !new Instance(entry.resource()).hasOwnCluster()) {
            return List.of();
        }
        var quota = quota(entry, world);
        if (quota.isEmpty()) {
            return List.of();
        }
        var before = used(entry, world);
        before.refusal(quota.get(), new Instance(entry.resource()).template()).ifPresent(why -> {
            throw denied(why);
        });
        var all = new ArrayList<>(before.instances());
        all.add(entry.resource());
        var after = new QuotaCount(all, before.cost());
        return List.of(new Companion(
                ClusterKinds.QUOTA, quota.get(), quota.get().json().with("status", after.status())));
    }

    private static Optional<String> quotaProblem(Entry entry, World world) {
        if (entry.isCreation() && quota(entry, world).isPresent()) {
            return Optional.of("cluster quota for this namespace already exists");
        }
        return entry.object().objects("spec", "allowedTemplates").stream()
                .map(each -> each.string("name"))
                .filter(name -> world.get(ClusterKinds.TEMPLATE, new ObjectName(LogicalCluster.DEFAULT, "", name))
                        .isEmpty())
                .map(name -> "template '" + name + "' does not exist")
                .findFirst();
    }
}
