package dev.towtank.controllers.testclusters.templates;

import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.helm.ChartValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The ApplicationSet of one instance, made after that of an administrator. Each has one of its own: in an object that
/// all instances share, every one of them would wait for the others, and a thousand would not fit.
///
/// @param setup of the day-2 set that it is for; empty for that of the cluster itself
/// @param pattern the administrator's
record InstanceSet(Instance instance, String setup, Resource pattern, Optional<ChartValues> chart) {

    private static final String FINALIZER = "resources-finalizer.argocd.argoproj.io";

    /// @param server where the Application goes
    Resource object(String server) {
        var labels = instance.labels(setup);
        var element = Json.Obj.of(
                "url", Json.of(server), "instance_ns", Json.of(instance.object().namespace()));
        var generator = Json.Obj.of("list", Json.Obj.of("elements", Json.Arr.of(element)));
        var spec = pattern.spec().with("generators", Json.Arr.of(generator)).with("template", template(labels));
        var metadata =
                Objects.named(pattern.namespace(), instance.application(setup)).with("labels", labels);
        return Objects.of(GitOpsKinds.APPLICATION_SET, LogicalCluster.DEFAULT, metadata, "spec", spec);
    }

    private Json.Obj template(Json.Obj labels) {
        var template = pattern.spec().object("template");
        var all = template.object("metadata", "labels").toBuilder();
        labels.forEach(all::put);
        var metadata = template.object("metadata")
                .with("name", Json.of(instance.application(setup)))
                .with("labels", all.build());
        if (metadata.array("finalizers").size() == 0) {
            metadata = metadata.with("finalizers", Json.Arr.of(Json.of(FINALIZER)));
        }
        var parameters = parameters(template.object("spec", "source"));
        var named = template.with("metadata", metadata);
        return parameters.size() == 0 ? named : named.with(List.of("spec", "source", "helm", "parameters"), parameters);
    }

    /// What the administrator fixed is not the tenant's to change: it comes last, and the last one counts.
    private Json.Arr parameters(Json.Obj source) {
        var fixed = source.objects("helm", "parameters");
        var names = fixed.stream().map(each -> each.string("name")).toList();
        var all = new ArrayList<Json>();
        for (var each : instance.parameters(setup)) {
            var name = each.string("name");
            if (!names.contains(name) && instance.isForChart(name, chart)) {
                boolean isText = chart.filter(known -> known.isText(name)).isPresent();
                all.add(isText ? each.with("forceString", Json.of(true)) : each);
            }
        }
        all.addAll(fixed);
        return new Json.Arr(all);
    }

    /// What the tenant said that changes nothing, each with its reason.
    List<String> ignored() {
        var fixed = ChartQuestion.source(pattern).objects("helm", "parameters").stream()
                .map(each -> each.string("name"))
                .toList();
        var all = new ArrayList<String>();
        for (var each : instance.parameters(setup)) {
            var name = each.string("name");
            if (fixed.contains(name)) {
                all.add(name + ": fixed by the template");
            } else if (chart.isPresent() && instance.isForChart(name, chart)) {
                var why = chart.get().ignored(name);
                if (!why.isEmpty() || !chart.get().knows(name)) {
                    all.add(name + ": " + (why.isEmpty() ? "the chart has no such value" : why));
                }
            }
        }
        return all;
    }
}
