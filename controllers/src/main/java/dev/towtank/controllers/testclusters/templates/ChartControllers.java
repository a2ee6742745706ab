package dev.towtank.controllers.testclusters.templates;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/// The controllers of templates themselves: what their charts say.
public final class ChartControllers {

    private final GitOpsCaches gitOps;
    private final Cache templates;
    private final Cache setups;
    private final Outside<ChartQuestion, ChartWords> charts;
    private final Outside<ChartQuestion, ChartWords> chartsOfSetups;

    /// @param charts asked by templates; the other by setups, for an answer wakes objects of one kind
    public ChartControllers(
            Caches caches,
            GitOpsCaches gitOps,
            Outside<ChartQuestion, ChartWords> charts,
            Outside<ChartQuestion, ChartWords> chartsOfSetups) {
        this.gitOps = gitOps;
        this.charts = charts;
        this.chartsOfSetups = chartsOfSetups;
        templates = caches.of(ClusterKinds.TEMPLATE);
        setups = caches.of(ClusterKinds.SETUP);
    }

    public List<Controller<?, ?>> all() {
        return List.of(
                of("clustertemplate-controller", ClusterKinds.TEMPLATE, templates, charts),
                of("clustertemplatesetup-controller", ClusterKinds.SETUP, setups, chartsOfSetups));
    }

    private Controller<Json.Obj, TemplateFacts> of(
            String name, Kind<Json.Obj> kind, Cache all, Outside<ChartQuestion, ChartWords> outside) {
        var controller = Controller.of(name, kind, seen -> around(seen, outside), new TemplateReconciler(kind))
                .wokenBy(outside)
                .wokenBy(Trigger.of(
                        ClusterKinds.CONFIG,
                        _ -> all.list().stream().map(ObjectName::of).toList()));
        return gitOps.isServed()
                ? controller.wokenBy(Trigger.of(GitOpsKinds.APPLICATION_SET, set -> naming(all, set)))
                : controller;
    }

    private static List<ObjectName> naming(Cache templates, Resource set) {
        // Those of instances are many, and no template names them.
        if (set.labels().containsKey(Instance.NAME)) {
            return List.of();
        }
        return templates.list().stream()
                .filter(each -> names(each).contains(set.name()))
                .map(ObjectName::of)
                .toList();
    }

    private static List<String> names(Resource template) {
        var all = new ArrayList<>(template.spec().array("clusterSetup").strings());
        var definition = template.spec().string("clusterDefinition");
        if (!definition.isEmpty() && !template.annotations().containsKey(Instance.PROVIDER)) {
            all.add(definition);
        }
        return all;
    }

    private TemplateFacts around(Observed<Json.Obj> observed, Outside<ChartQuestion, ChartWords> outside) {
        var template = observed.object();
        var sets = new HashMap<String, TemplateFacts.Named>();
        for (var name : names(template)) {
            var set = gitOps.set(name);
            var question = set.map(ChartQuestion::of).filter(ChartQuestion::isKnown);
            sets.put(
                    name,
                    new TemplateFacts.Named(
                            set,
                            question.map(each ->
                                    outside.ask(new ObjectName(LogicalCluster.DEFAULT, "", template.name()), each))));
        }
        return new TemplateFacts(sets, gitOps.isServed(), gitOps.namespace());
    }
}
