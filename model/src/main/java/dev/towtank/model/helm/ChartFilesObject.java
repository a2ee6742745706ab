package dev.towtank.model.helm;

import dev.towtank.model.template.Function;
import dev.towtank.model.template.GoObject;
import dev.towtank.model.template.GoText;
import dev.towtank.model.template.GoType;
import dev.towtank.model.template.Meter;
import dev.towtank.model.template.TypedList;
import dev.towtank.model.template.TypedMap;
import dev.towtank.model.template.functions.Documents;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// `.Files`: what is in a chart beside its templates. There is no way from here to any other file.
record ChartFilesObject(Map<String, byte[]> files) implements GoObject {

    @Override
    public String type() {
        return "engine.files";
    }

    @Override
    public String kind() {
        return "map";
    }

    @Override
    public @Nullable Member member(String name) {
        return switch (name) {
            case "Get" -> new Method(Function.of(call -> GoText.of(bytes(call.string(0))), GoType.STRING));
            case "GetBytes" -> new Method(Function.of(call -> bytes(call.string(0)), GoType.STRING));
            case "Glob" -> new Method(Function.of(call -> matching(call.string(0)), GoType.STRING));
            case "Lines" -> new Method(Function.of(call -> lines(call.string(0)), GoType.STRING));
            case "AsConfig" ->
                new Method(Function.of(call -> byName(false, call.render().meter())));
            case "AsSecrets" ->
                new Method(Function.of(call -> byName(true, call.render().meter())));
            default -> files.containsKey(name) ? new Field(files.get(name)) : null;
        };
    }

    private byte[] bytes(String path) {
        return files.getOrDefault(path, new byte[0]).clone();
    }

    private ChartFilesObject matching(String glob) {
        var pattern = PathGlobs.pattern(glob);
        var found = new TreeMap<String, byte[]>();
        files.forEach((path, content) -> {
            if (pattern.matches(path)) {
                found.put(path, content);
            }
        });
        return new ChartFilesObject(found);
    }

    private Object lines(String path) {
        var text = GoText.of(bytes(path));
        if (!files.containsKey(path)) {
            return TypedList.strings(List.of());
        }
        var whole = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        return TypedList.strings(List.of(whole.split("\n", -1)));
    }

    // As the data of a ConfigMap or a Secret: by the last part of the path.
    private String byName(boolean encoded, Meter meter) {
        var data = new TreeMap<String, @Nullable Object>();
        files.forEach((path, content) -> data.put(
                path.substring(path.lastIndexOf('/') + 1),
                encoded ? Base64.getEncoder().encodeToString(content) : GoText.of(content)));
        var yaml = Documents.yaml(data, meter);
        return yaml.endsWith("\n") ? yaml.substring(0, yaml.length() - 1) : yaml;
    }

    @Override
    public String text() {
        return "map" + files.keySet();
    }

    @Override
    public Optional<Object> elements() {
        return Optional.of(new TypedMap("engine.files", new byte[0], files));
    }
}
