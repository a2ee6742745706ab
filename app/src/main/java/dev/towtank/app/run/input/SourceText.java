package dev.towtank.app.run.input;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Located;
import dev.towtank.model.YamlText;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The text of one file, cut into its documents.
///
/// Every document is parsed by itself with as many empty lines before it as it has in the file, so that every message
/// names the line that the user sees in an editor.
record SourceText(String file, String text) {

    private static final Pattern WHERE = Pattern.compile("^yaml: line (\\d+), column (\\d+): (.*)$", Pattern.DOTALL);
    private static final Pattern TEMPLATE = Pattern.compile("\\{\\{");

    static SourceText decode(String file, byte[] bytes) {
        try {
            var decoded = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return new SourceText(file, decoded.startsWith("\uFEFF") ? decoded.substring(1) : decoded);
        } catch (CharacterCodingException e) {
            throw new BadInput(file + ": the file is not UTF-8 text");
        }
    }

    private record Part(int firstLine, String text) {}

    /// Its objects; those of a `List` one by one.
    List<Document> documents() {
        var documents = new ArrayList<Document>();
        for (var part : parts()) {
            var json = parse(part);
            if (!(json instanceof Json.Null)) {
                documents.addAll(objects(firstLine(part), json, isList(json) ? located(part) : Optional.empty()));
            }
        }
        return documents;
    }

    private List<Part> parts() {
        if (text.stripLeading().startsWith("{")) {
            return List.of(new Part(0, text));
        }
        var parts = new ArrayList<Part>();
        var current = new StringBuilder();
        int first = 0;
        int number = 0;
        for (var line : text.split("\n", -1)) {
            if (isMarker(line)) {
                // Directives stand before the marker of the document that they are for.
                boolean hasDirectives = current.toString().lines().anyMatch(each -> each.startsWith("%"));
                if (!hasDirectives) {
                    parts.add(new Part(first, current.toString()));
                    current.setLength(0);
                    first = number;
                }
            }
            current.append(line).append('\n');
            number++;
        }
        parts.add(new Part(first, current.toString()));
        return parts;
    }

    private static boolean isMarker(String line) {
        return line.startsWith("---") && (line.length() == 3 || Character.isWhitespace(line.charAt(3)));
    }

    private static int firstLine(Part part) {
        int number = part.firstLine;
        for (var line : part.text.split("\n", -1)) {
            number++;
            var content = line.strip();
            if (!content.isEmpty() && !content.startsWith("#") && !content.startsWith("%") && !isMarker(line)) {
                return number;
            }
        }
        return part.firstLine + 1;
    }

    private Json parse(Part part) {
        try {
            return YamlText.parse("\n".repeat(part.firstLine) + part.text);
        } catch (JsonText.Malformed e) {
            throw new BadInput(explain(String.valueOf(e.getMessage())));
        }
    }

    private String explain(String message) {
        var template = templateLine();
        var pushed = PushedFile.problem(text);
        if (template.isPresent() && pushed.isPresent()) {
            return file + ":" + template.get() + ": " + pushed.get();
        }
        if (template.isPresent()) {
            return file + ":" + template.get()
                    + ": this is a template, not YAML: render it first, as with 'helm template', and"
                    + " run what comes out";
        }
        var matcher = WHERE.matcher(message);
        if (!matcher.matches()) {
            return file + ": " + message;
        }
        var problem = matcher.group(3).contains("TAB")
                ? "found a tab: YAML wants spaces for indentation"
                : matcher.group(3) + ". 'towtank lint " + file + "' shows the line";
        return file + ":" + matcher.group(1) + ":" + matcher.group(2) + ": " + problem;
    }

    private Optional<Integer> templateLine() {
        int number = 0;
        for (var line : text.split("\n", -1)) {
            number++;
            if (TEMPLATE.matcher(line).find()) {
                return Optional.of(number);
            }
        }
        return Optional.empty();
    }

    private static boolean isList(Json json) {
        return json instanceof Json.Obj object
                && object.string("kind").equals("List")
                && object.string("apiVersion").equals("v1");
    }

    /// Where everything in it stands; nothing where it is JSON that is no YAML.
    private static Optional<Located> located(Part part) {
        var found = new ArrayList<Located>();
        try {
            YamlText.locate(part.text, part.firstLine + 1, document -> found.add(document.root()));
        } catch (JsonText.Malformed e) {
            return Optional.empty();
        }
        return found.stream().findFirst();
    }

    /// @param place of it, where it is a list
    private List<Document> objects(int line, Json json, Optional<Located> place) {
        if (!(json instanceof Json.Obj object)) {
            throw new BadInput(file + ":" + line + ": expected an object with apiVersion and kind");
        }
        if (!isList(json)) {
            return List.of(document(line, object));
        }
        var items = object.array("items").items();
        var places = place.map(list -> list.list("items")).orElse(List.of());
        var all = new ArrayList<Document>();
        for (int i = 0; i < items.size(); i++) {
            Optional<Located> inner = i < places.size() ? Optional.of(places.get(i)) : Optional.empty();
            int innerLine = inner.map(item -> item.start().line()).orElse(line);
            all.addAll(objects(innerLine, items.get(i), inner));
        }
        return all;
    }

    private Document document(int line, Json.Obj object) {
        for (var field : List.of("apiVersion", "kind")) {
            if (object.string(field).isEmpty()) {
                throw new BadInput(file + ":" + line + ": the object has no " + field);
            }
        }
        var metadata = object.object("metadata");
        for (var field : List.of("name", "generateName")) {
            var value = metadata.get(field);
            if (value != null && !(value instanceof Json.Str) && !(value instanceof Json.Null)) {
                throw new BadInput(file + ":" + line + ": metadata." + field + " of the " + object.string("kind")
                        + " is read as " + value.display() + ", which is no text: put it in quotes");
            }
        }
        if (metadata.string("name").isEmpty() && metadata.string("generateName").isEmpty()) {
            throw new BadInput(file + ":" + line + ": the " + object.string("kind") + " has no metadata.name");
        }
        return new Document(file, line, object);
    }
}
