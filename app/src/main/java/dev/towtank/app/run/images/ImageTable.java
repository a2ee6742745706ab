package dev.towtank.app.run.images;

import dev.towtank.model.Json;
import dev.towtank.node.images.Outlook;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What the containers of a run will be started on, for people. Pure.
///
/// @param outlooks by the names of images
public record ImageTable(List<ImageUse> uses, Map<String, Outlook> outlooks) {

    private static final int MOST_ROWS = 20;
    private static final int WIDEST = 60;

    public ImageTable {
        uses = List.copyOf(uses);
        outlooks = Map.copyOf(outlooks);
    }

    /// Those without which the run cannot get to its end.
    public List<String> missing() {
        return images().stream()
                .filter(image -> outlooks.get(image) instanceof Outlook.Missing)
                .filter(image -> uses.stream().anyMatch(use -> use.image().equals(image) && use.isCertain()))
                .toList();
    }

    /// One message for each image that is missing.
    public List<String> problems() {
        return missing().stream()
                .map(image -> "step " + places(image) + ": " + why(image))
                .toList();
    }

    boolean mayBeMapped() {
        return missing().stream()
                .anyMatch(image -> outlooks.get(image) instanceof Outlook.Missing(var _, var may) && may);
    }

    /// For programs: an object for each image.
    public List<Json.Obj> events() {
        return images().stream().map(this::event).toList();
    }

    private Json.Obj event(String image) {
        var event = Json.Obj.builder().put("image", image);
        switch (outlooks.get(image)) {
            case Outlook.Here _ -> event.put("state", "here");
            case Outlook.Comes(var bytes) -> {
                event.put("state", "pull");
                bytes.ifPresent(count -> event.put("bytes", count));
            }
            case Outlook.StandIn(var hasSmallTools) ->
                event.put("state", "stand-in")
                        .putNonEmpty("differs", Json.Arr.ofStrings(List.copyOf(different(image, hasSmallTools))));
            case Outlook.Missing(var why, var _) ->
                event.put("state", "missing").put("message", why);
            case null -> {}
        }
        return event.build();
    }

    private String why(String image) {
        return outlooks.get(image) instanceof Outlook.Missing(var why, var _) ? why : "";
    }

    private List<String> images() {
        return uses.stream()
                .map(ImageUse::image)
                .filter(outlooks::containsKey)
                .distinct()
                .toList();
    }

    private String places(String image) {
        var places = uses.stream()
                .filter(use -> use.image().equals(image))
                .map(ImageUse::place)
                .distinct()
                .toList();
        return places.getFirst() + (places.size() > 1 ? " and " + (places.size() - 1) + " more" : "");
    }

    /// A line per image, with a heading where there are several.
    public List<String> lines() {
        var images = images();
        var lines = new ArrayList<String>();
        int width = images.stream().mapToInt(String::length).max().orElse(0);
        var form = "%-" + Math.min(width, WIDEST) + "s  %s";
        for (var image : images.subList(0, Math.min(images.size(), MOST_ROWS))) {
            lines.add(form.formatted(shortened(image), told(image)));
        }
        if (images.size() > MOST_ROWS) {
            lines.add("… and " + (images.size() - MOST_ROWS) + " more images");
        }
        long open = uses.stream().filter(ImageUse::isOpen).count();
        if (open > 0) {
            lines.add(open + (open == 1 ? " image is" : " images are") + " known only when results are there");
        }
        return lines;
    }

    private static String shortened(String image) {
        return image.length() <= WIDEST ? image : "…" + image.substring(image.length() - WIDEST + 1);
    }

    private String told(String image) {
        return switch (outlooks.get(image)) {
            case Outlook.Here _ -> "real image, here";
            case Outlook.Comes(var bytes) ->
                "real image, pulled" + (bytes.isPresent() ? ": " + size(bytes.getAsLong()) : "");
            case Outlook.StandIn(var hasSmallTools) -> "stand-in" + warning(image, hasSmallTools);
            case Outlook.Missing(var why, var _) ->
                missing().contains(image) ? "missing" : "missing, if it is needed at all: " + firstSentence(why);
            case null -> "";
        };
    }

    private String warning(String image, boolean hasSmallTools) {
        var different = different(image, hasSmallTools);
        return different.isEmpty()
                ? ""
                : "; " + String.join(", ", different) + (different.size() == 1 ? " differs" : " differ")
                        + " from the image's";
    }

    private Set<String> different(String image, boolean hasSmallTools) {
        return uses.stream()
                .filter(use -> use.image().equals(image))
                .flatMap(use -> use.programs().stream())
                .filter(name -> hasSmallTools || CalledPrograms.AMBIGUOUS.contains(name))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String firstSentence(String why) {
        int end = why.indexOf(". To run it");
        return end < 0 ? why.lines().findFirst().orElse(why) : why.substring(0, end);
    }

    /// As people say it.
    public static String size(long bytes) {
        return bytes < 1 << 20 ? (bytes + 1023) / 1024 + " KiB" : (bytes >> 20) + " MiB";
    }
}
