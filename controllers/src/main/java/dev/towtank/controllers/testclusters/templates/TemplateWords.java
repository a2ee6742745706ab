package dev.towtank.controllers.testclusters.templates;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.helm.ChartValues;
import dev.towtank.model.helm.HelmError;
import java.util.List;
import java.util.Optional;

/// What a template's status says about the charts behind it.
///
/// @param template a ClusterTemplate or a ClusterTemplateSetup
record TemplateWords(Resource template) {

    /// On a template: `false` lets parameters through as they are, and failures show when charts are rendered.
    static final String VALIDATES = "towtank.dev/validate-parameters";

    boolean validates() {
        return !template.annotations().getOrDefault(VALIDATES, "").equals("false");
    }

    List<String> setups() {
        return template.spec().array("clusterSetup").strings();
    }

    private Json.Obj entry(String setup) {
        return setup.isEmpty()
                ? template.status().object("clusterDefinition")
                : template.status().objects("clusterSetup").stream()
                        .filter(each -> each.string("name").equals(setup))
                        .findFirst()
                        .orElse(Json.Obj.EMPTY);
    }

    List<ChartValues.Parameter> fixed(String setup) {
        return parameters(entry(setup).objects("params"));
    }

    static List<ChartValues.Parameter> parameters(List<Json.Obj> rows) {
        return rows.stream()
                .map(each -> new ChartValues.Parameter(each.string("name"), each.string("value")))
                .toList();
    }

    /// Nothing while nobody has read the chart, or where it is none.
    Optional<ChartValues> chart(String setup) {
        var entry = entry(setup);
        if (!entry.string("error").isEmpty() || (entry.string("values") + entry.string("schema")).isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(ChartValues.of(entry.string("values"), entry.string("schema")));
        } catch (HelmError e) {
            return Optional.empty();
        }
    }
}
