package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.controllers.pipelines.api.ResultSpec;
import dev.towtank.model.Names;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Checks of the results that a task or a step declares.
final class ResultChecks {

    private static final String FORMAT = "^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$";
    private static final Pattern NAME = Pattern.compile(FORMAT);
    private static final Pattern STEP_RESULT = Pattern.compile("\\$\\(steps\\.(.*?)\\.results\\.(.*?)\\)");
    private static final String FORMAT_WORDS =
            " must consist of alphanumeric characters, '-', '_', and must start and end"
                    + " with an alphanumeric character (e.g. 'MyName',  or 'my-name',  or 'my_name', regex used for validation is '"
                    + FORMAT + "')";

    private ResultChecks() {}

    static Set<String> names(List<ResultSpec> results) {
        return results.stream().map(ResultSpec::name).collect(Collectors.toSet());
    }

    static Problems ofTask(List<ResultSpec> results) {
        var problems = Problems.none();
        for (int i = 0; i < results.size(); i++) {
            problems.add(ofTask(results.get(i)).viaIndex(i));
        }
        return problems;
    }

    private static Problems ofTask(ResultSpec result) {
        if (!NAME.matcher(result.name()).matches()) {
            return Problems.invalidKey(result.name(), "name", "Name" + FORMAT_WORDS);
        }
        var problems = switch (result.type()) {
            case ParamValue.OBJECT ->
                object(result, "The value type specified for these keys %s is invalid, the type must be string");
            case ParamValue.ARRAY, ParamValue.STRING, "" -> Problems.none();
            default -> Problems.invalid(result.type(), "type", "type must be string");
        };
        return Problems.none().add(problems).add(value(result));
    }

    private static Problems object(ResultSpec result, String message) {
        return result.properties().isEmpty()
                ? Problems.missing(result.name() + ".properties")
                : ParamChecks.properties(result.name(), result.properties(), message);
    }

    private static Problems value(ResultSpec result) {
        var value = result.value().orElse(ParamValue.of(""));
        if (!(value instanceof ParamValue.Text(var text))) {
            return Problems.generic(
                    "Invalid Type. Wanted string but got: \"" + value.type() + "\"", result.name() + ".type");
        }
        if (text.isEmpty()) {
            return Problems.none();
        }
        var matcher = STEP_RESULT.matcher(text);
        if (!matcher.find()) {
            return Problems.generic(
                    "Could not extract step name and result name. Expected value to look like"
                            + " $(steps.<stepName>.results.<resultName>) but got \"" + text + "\"",
                    result.name() + ".value");
        }
        return reference(matcher.group(1), matcher.group(2), result.name() + ".value");
    }

    private static Problems reference(String step, String result, String path) {
        var problems = Problems.none();
        if (!Names.dnsLabel(step).isEmpty()) {
            problems.add(Problems.of(
                    "invalid extracted step name " + GoText.quote(step),
                    "stepName in $(steps.<stepName>.results.<resultName>) must be a valid DNS Label, For more info refer"
                            + " to https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#names",
                    path));
        }
        if (!NAME.matcher(result).matches()) {
            problems.add(Problems.of(
                    "invalid extracted result name " + GoText.quote(result),
                    "resultName in $(steps.<stepName>.results.<resultName>)" + FORMAT_WORDS,
                    path));
        }
        return problems;
    }

    static Problems ofStep(List<ResultSpec> results) {
        var problems = Problems.none();
        for (int i = 0; i < results.size(); i++) {
            problems.add(ofStep(results.get(i)).viaIndex(i));
        }
        return problems;
    }

    private static Problems ofStep(ResultSpec result) {
        if (!NAME.matcher(result.name()).matches()) {
            return Problems.invalidKey(result.name(), "name", "Name" + FORMAT_WORDS);
        }
        return switch (result.type()) {
            case ParamValue.OBJECT ->
                object(result, "the value type specified for these keys %s is invalid, the type must be string");
            case ParamValue.ARRAY, ParamValue.STRING, "" -> Problems.none();
            default -> Problems.invalid(result.type(), "type", "invalid type " + result.type());
        };
    }
}
