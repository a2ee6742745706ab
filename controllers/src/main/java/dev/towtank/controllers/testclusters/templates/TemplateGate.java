package dev.towtank.controllers.testclusters.templates;

import dev.towtank.cluster.Gate;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.api.GivenKubeconfig;
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
    private static final String CONFIGS = "vconfig.kb.io";
    private static final String QUOTAS = "vclustertemplatequota.kb.io";

    @Override
    public List<Kind<?>> kinds() {
        return List.of(ClusterKinds.INSTANCE, ClusterKinds.QUOTA, ClusterKinds.CONFIG);
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
        if (entry.kind().kind().equals(ClusterKinds.CONFIG.kind())) {
            configProblem(entry.resource()).ifPresent(why -> {
                throw KindBehaviour.denied(CONFIGS, why);
            });
            return;
        }
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

    private static Optional<String> configProblem(Resource config) {
        if (!config.name().equals("config")) {
            return Optional.of("the Config that counts is called 'config'; there is no other");
        }
        return config.spec().flag("uiEnabled")
                ? Optional.of("spec.uiEnabled: this server has no page for templates; leave it out")
                : Optional.empty();
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
        var form = ParameterCheck.form(entry.object());
        if (form.isPresent()) {
            return form;
        }
        var check = new ParameterCheck(instance, world);
        if (!instance.hasOwnCluster()) {
            var setup = world.get(ClusterKinds.SETUP, name);
            return setup.isEmpty()
                    ? Optional.of("cluster template setup '" + instance.template() + "' not found")
                    : secretProblem(entry, world).or(() -> check.problem(setup.get()));
        }
        var template = world.get(ClusterKinds.TEMPLATE, name);
        if (template.isEmpty()) {
            return Optional.of("cluster template '" + instance.template() + "' not found");
        }
        return quota(entry, world)
                .flatMap(quota -> used(entry, world).refusal(quota, instance.template()))
                .or(() -> check.problem(template.get()));
    }

    private static Optional<String> secretProblem(Entry entry, World world) {
        var name = entry.object().string("spec", "kubeconfigSecretRef");
        var secret = world.get(Secrets.KIND, ObjectName.of(entry.namespace(), name));
        if (secret.isEmpty()) {
            return Optional.of("secret '" + name + "' not found");
        }
        var text = Objects.value(secret.get(), "kubeconfig");
        if (text.isEmpty()) {
            return Optional.of("secret '" + name + "' does not contain 'kubeconfig' data");
        }
        var problem = GivenKubeconfig.read(text).problem();
        return problem.isEmpty() ? Optional.empty() : Optional.of("the kubeconfig in secret '" + name + "' " + problem);
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
