package dev.towtank.node.images;

import dev.towtank.node.images.registry.ImageReference;
import java.util.List;
import java.util.regex.Pattern;

/// Which images an entry is about.
record ImagePattern(Pattern name, Pattern tag) {

    static ImagePattern of(String text) {
        int colon = text.lastIndexOf(':');
        boolean tagged = colon > text.lastIndexOf('/');
        return new ImagePattern(
                glob(tagged ? text.substring(0, colon) : text), glob(tagged ? text.substring(colon + 1) : "**"));
    }

    boolean matches(ImageReference image, List<String> mirrors) {
        return tag.matcher(image.tag()).matches()
                && image.names(mirrors).stream()
                        .anyMatch(one -> name.matcher(one).matches());
    }

    private static Pattern glob(String text) {
        var regex = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            if (text.startsWith("**", i)) {
                regex.append(".*");
                i++;
            } else if (text.charAt(i) == '*') {
                regex.append("[^/]*");
            } else {
                regex.append(Pattern.quote(text.substring(i, i + 1)));
            }
        }
        return Pattern.compile(regex.toString());
    }
}
