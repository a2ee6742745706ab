package dev.towtank.apiserver.view;

import dev.towtank.apiserver.view.Form.Format;
import dev.towtank.apiserver.view.Form.Shape;
import dev.towtank.model.StatusError;
import dev.towtank.model.StatusError.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds the [Form] that suits an `Accept` header best.
///
/// Clauses are tried in the order of their `q`, then in the order written; one that we cannot serve is skipped, which
/// is how clients ask for a table and fall back to the object.
public final class Accept {

    private static final Set<String> META_VERSIONS = Set.of("v1", "v1beta1");
    private static final Set<String> DISCOVERY_VERSIONS = Set.of("v2", "v2beta1");
    private static final int MAX_CLAUSES = 32;

    /// Which endpoint is asked: they offer different shapes.
    public enum Offer {
        RESOURCES,
        WATCHES,
        DISCOVERY,
        OBJECTS_ONLY
    }

    private record Clause(String type, String subtype, double quality, Map<String, String> params) {}

    private Accept() {}

    /// @throws StatusError NotAcceptable, listing what there is
    public static Form choose(String header, Offer offer) {
        if (header.isBlank()) {
            return Form.JSON;
        }
        return parse(header).stream()
                .filter(clause -> clause.quality > 0)
                .map(clause -> form(clause, offer))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow(() -> new StatusError(
                        Reason.NOT_ACCEPTABLE, "only the following media types are accepted: " + accepted(offer)));
    }

    private static String accepted(Offer offer) {
        return offer == Offer.WATCHES ? "application/json;stream=watch" : "application/json, application/yaml";
    }

    private static List<Clause> parse(String header) {
        List<Clause> clauses = new ArrayList<>();
        for (var text : header.split(",", MAX_CLAUSES + 1)) {
            if (clauses.size() < MAX_CLAUSES && !text.isBlank()) {
                clauses.add(clause(text));
            }
        }
        clauses.sort(Comparator.comparingDouble(Clause::quality).reversed());
        return clauses;
    }

    private static Clause clause(String text) {
        var parts = text.split(";", -1);
        var media = parts[0].strip().toLowerCase(Locale.ROOT);
        int slash = media.indexOf('/');
        var type = slash < 0 ? media : media.substring(0, slash);
        var subtype = slash < 0 ? (media.equals("*") ? "*" : "") : media.substring(slash + 1);
        Map<String, String> params = new HashMap<>();
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            if (equals > 0) {
                params.put(
                        parts[i].substring(0, equals).strip(),
                        parts[i].substring(equals + 1).strip());
            }
        }
        return new Clause(type, subtype, quality(params.remove("q")), params);
    }

    private static double quality(@Nullable String text) {
        if (text == null) {
            return 1;
        }
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return 1;
        }
    }

    private static Optional<Form> form(Clause clause, Offer offer) {
        var stream = clause.params.getOrDefault("stream", "");
        var format = format(clause, offer);
        if (format.isEmpty() || !(stream.isEmpty() || stream.equals("watch")) || clause.params.containsKey("sv")) {
            return Optional.empty();
        }
        boolean pretty = "1".equals(clause.params.get("pretty"));
        return shape(clause, offer)
                .map(shape -> new Form(format.get(), shape, clause.params.getOrDefault("v", "v1"), pretty));
    }

    private static Optional<Format> format(Clause clause, Offer offer) {
        if (clause.type.equals("*") && clause.subtype.equals("*")) {
            return Optional.of(Format.JSON);
        }
        if (!clause.type.equals("application")) {
            return Optional.empty();
        }
        return switch (clause.subtype) {
            case "*", "json" -> Optional.of(Format.JSON);
            case "yaml" -> offer == Offer.WATCHES ? Optional.empty() : Optional.of(Format.YAML);
            default -> Optional.empty();
        };
    }

    private static Optional<Shape> shape(Clause clause, Offer offer) {
        var as = clause.params.getOrDefault("as", "");
        var group = clause.params.getOrDefault("g", "");
        var version = clause.params.getOrDefault("v", "");
        if (as.isEmpty() && group.isEmpty() && version.isEmpty()) {
            return Optional.of(Shape.OBJECT);
        }
        return switch (offer) {
            case RESOURCES, WATCHES ->
                group.equals("meta.k8s.io") && META_VERSIONS.contains(version) ? metaShape(as) : Optional.empty();
            case DISCOVERY ->
                group.equals("apidiscovery.k8s.io")
                                && DISCOVERY_VERSIONS.contains(version)
                                && as.equals("APIGroupDiscoveryList")
                        ? Optional.of(Shape.DISCOVERY)
                        : Optional.empty();
            case OBJECTS_ONLY -> Optional.empty();
        };
    }

    private static Optional<Shape> metaShape(String as) {
        return switch (as) {
            case "Table" -> Optional.of(Shape.TABLE);
            case "PartialObjectMetadata" -> Optional.of(Shape.METADATA);
            case "PartialObjectMetadataList" -> Optional.of(Shape.METADATA_LIST);
            default -> Optional.empty();
        };
    }
}
