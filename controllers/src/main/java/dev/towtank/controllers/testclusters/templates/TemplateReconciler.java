package dev.towtank.controllers.testclusters.templates;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Outside.Answer;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.time.Instant;
import java.util.ArrayList;

/// Shows what the charts of a template want to know, and makes the sets of those that come with the program.
final class TemplateReconciler implements Reconciler<Json.Obj, TemplateFacts> {

    /// On a ClusterTemplate: the chart of this program, as `name@version`, of which its set is made where there is
    /// none.
    private static final String CHART = "towtank.dev/chart";

    /// Where the objects of that chart go; without it, into the namespace of the instance.
    private static final String PLACE = "towtank.dev/chart-namespace";

    private final Kind<Json.Obj> kind;

    /// @param kind ClusterTemplate or ClusterTemplateSetup
    TemplateReconciler(Kind<Json.Obj> kind) {
        this.kind = kind;
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, TemplateFacts facts, Instant now) {
        var template = observed.object();
        var definition = template.spec().string("clusterDefinition");
        var isMade = template.annotations().containsKey(Instance.PROVIDER);
        var plan = new Plan.Builder();
        var named = facts.sets().get(definition);
        if (template.annotations().containsKey(CHART)
                && facts.hasGitOps()
                && named != null
                && named.set().isEmpty()) {
            plan.create(GitOpsKinds.APPLICATION_SET, bundled(template, definition, facts));
        }
        var status = template.status();
        if (!definition.isEmpty() && !isMade) {
            status = status.with("clusterDefinition", entry(definition, facts, status.object("clusterDefinition")));
        }
        var setups = new ArrayList<Json>();
        for (var setup : template.spec().array("clusterSetup").strings()) {
            var before = status.objects("clusterSetup").stream()
                    .filter(each -> each.string("name").equals(setup))
                    .findFirst()
                    .orElse(Json.Obj.EMPTY);
            setups.add(entry(setup, facts, before).with("name", Json.of(setup)));
        }
        status = setups.isEmpty() ? status.without("clusterSetup") : status.with("clusterSetup", new Json.Arr(setups));
        return plan.setStatus(kind, template, status).build();
    }

    private static Json.Obj entry(String name, TemplateFacts facts, Json.Obj before) {
        var named = facts.sets().get(name);
        if (!facts.hasGitOps()) {
            return error("this server has no ApplicationSets: start it with the feature gitops", Json.Obj.EMPTY);
        }
        if (named == null || named.set().isEmpty()) {
            return error(
                    "ApplicationSet \"" + name + "\" not found in namespace " + facts.argoNamespace(), Json.Obj.EMPTY);
        }
        var fixed = fixed(named.set().get());
        if (named.words().isEmpty()) {
            return fixed;
        }
        return switch (named.words().get()) {
            case Answer.Pending<ChartWords> _ -> before;
            case Answer.Known<ChartWords>(var words, var _) -> told(words, fixed);
            case Answer.Failed<ChartWords>(var problem, var _, var _, var last) ->
                last.map(words -> told(words, fixed)).orElseGet(() -> error(problem, fixed));
        };
    }

    private static Json.Obj told(ChartWords words, Json.Obj fixed) {
        return words.error().isEmpty()
                ? fixed.toBuilder()
                        .putNonEmpty("values", words.values())
                        .putNonEmpty("schema", words.schema())
                        .build()
                : error(words.error(), fixed);
    }

    private static Json.Obj error(String why, Json.Obj fixed) {
        return fixed.with("error", Json.of(why));
    }

    private static Json.Obj fixed(Resource set) {
        var all = ChartQuestion.source(set).objects("helm", "parameters").stream()
                .<Json>map(each ->
                        Json.Obj.of("name", Json.of(each.string("name")), "value", Json.of(each.string("value"))))
                .toList();
        return all.isEmpty() ? Json.Obj.EMPTY : Json.Obj.of("params", new Json.Arr(all));
    }

    private static Resource bundled(Resource template, String name, TemplateFacts facts) {
        var chart = template.annotations().getOrDefault(CHART, "").split("@", 2);
        var namespace = template.annotations().getOrDefault(PLACE, "{{ instance_ns }}");
        var source = Json.Obj.of(
                "repoURL",
                Json.of("towtank://charts"),
                "chart",
                Json.of(chart[0]),
                "targetRevision",
                Json.of(chart.length > 1 ? chart[1] : "*"));
        var spec = Json.Obj.builder()
                .put("project", "default")
                .put("destination", Json.Obj.of("server", Json.of("{{ url }}"), "namespace", Json.of(namespace)))
                .put("source", source)
                .put(
                        "syncPolicy",
                        Json.Obj.of(
                                "automated",
                                Json.Obj.EMPTY,
                                "syncOptions",
                                Json.Arr.of(Json.of("CreateNamespace=true"))))
                .build();
        var none = Json.Obj.of("list", Json.Obj.of("elements", Json.Arr.EMPTY));
        var whole = Json.Obj.of(
                "generators",
                Json.Arr.of(none),
                "template",
                Json.Obj.of("metadata", Json.Obj.of("name", Json.of(name)), "spec", spec));
        return Objects.of(
                GitOpsKinds.APPLICATION_SET,
                LogicalCluster.DEFAULT,
                Objects.named(facts.argoNamespace(), name),
                "spec",
                whole);
    }
}
