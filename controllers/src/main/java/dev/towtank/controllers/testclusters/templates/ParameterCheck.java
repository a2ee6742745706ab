package dev.towtank.controllers.testclusters.templates;

import dev.towtank.cluster.Gate;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.helm.ChartValues;
import dev.towtank.model.helm.HelmError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Whether the parameters of a new instance are such that its charts take them.
record ParameterCheck(Instance instance, Gate.World world) {

    /// A name goes into the language of `--set`, in which a comma begins another one.
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.\\[\\]-]*");

    /// They are copied into a set, an Application and its history: objects that hold no more than a few of them.
    private static final int LONGEST = 128 << 10;

    /// What is wrong whatever the chart.
    static Optional<String> form(Json.Obj object) {
        long length = object.objects("spec", "parameters").stream()
                .mapToLong(each ->
                        each.string("name").length() + each.string("value").length())
                .sum();
        if (length > LONGEST) {
            return Optional.of(
                    "the parameters have " + length + " characters together, and " + LONGEST + " are allowed");
        }
        for (var each : object.objects("spec", "parameters")) {
            var name = each.string("name");
            if (name.contains("{{") || each.string("value").contains("{{")) {
                // A value goes into the template of an ApplicationSet, where it would be one itself.
                return Optional.of("parameter '" + name + "' must not contain '{{'");
            }
            if (!NAME.matcher(name).matches()) {
                return Optional.of("parameter '" + name + "' has a name that no value can have: " + NAME);
            }
        }
        return Optional.empty();
    }

    Optional<String> problem(Resource template) {
        var words = new TemplateWords(template);
        for (var each : instance.object().spec().objects("parameters")) {
            var setup = each.string("clusterSetup");
            if (!setup.isEmpty() && !words.setups().contains(setup)) {
                return Optional.of("parameter '" + each.string("name") + "' is for the cluster setup '" + setup
                        + "', which '" + template.name() + "' does not have");
            }
        }
        if (!words.validates()) {
            return Optional.empty();
        }
        var names = new ArrayList<>(words.setups());
        if (instance.hasOwnCluster()) {
            names.addFirst("");
        }
        return names.stream().flatMap(name -> problem(words, name).stream()).findFirst();
    }

    private Optional<String> problem(TemplateWords words, String setup) {
        var chart = words.chart(setup);
        if (chart.isEmpty() || chart.get().schema().size() == 0) {
            return Optional.empty();
        }
        var name = setup.isEmpty() ? words.template().spec().string("clusterDefinition") : setup;
        var source = world.get(GitOpsKinds.APPLICATION_SET, ObjectName.of(argoNamespace(), name))
                .map(ChartQuestion::source)
                .orElse(Json.Obj.EMPTY);
        var helm = source.object("helm");
        if (helm.has("valueFiles") || helm.has("fileParameters")) {
            return Optional.empty(); // what they say is read when the chart is rendered
        }
        try {
            var values = chart.get().over("values", helm.string("values")).over(helm.object("valuesObject"));
            var problems = values.problems(parameters(words, setup, chart.get()));
            return problems.isEmpty()
                    ? Optional.empty()
                    : Optional.of("parameters do not fit the schema of '" + name + "': " + String.join("; ", problems));
        } catch (HelmError e) {
            return Optional.empty(); // the administrator's, who hears of it from the Application
        }
    }

    private List<ChartValues.Parameter> parameters(TemplateWords words, String setup, ChartValues chart) {
        var all = new ArrayList<>(TemplateWords.parameters(instance.parameters(setup).stream()
                .filter(each -> instance.isForChart(each.string("name"), Optional.of(chart)))
                .toList()));
        all.addAll(words.fixed(setup));
        return all;
    }

    private String argoNamespace() {
        return world.get(ClusterKinds.CONFIG, new ObjectName(LogicalCluster.DEFAULT, "", "config"))
                .map(config -> config.spec().string("argoCDNamespace"))
                .filter(text -> !text.isEmpty())
                .orElse(GitOpsKinds.NAMESPACE);
    }
}
