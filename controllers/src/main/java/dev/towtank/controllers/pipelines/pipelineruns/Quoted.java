package dev.towtank.controllers.pipelines.pipelineruns;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// `$(tasks.<task>.results['<result>'])`: references whose name is in quotes, in the spelling without them.
final class Quoted {

    private static final Pattern REFERENCE =
            Pattern.compile("\\$\\(tasks\\.([^.()]+)\\.results\\[['\"]([^'\"]+)['\"]](?:\\[([0-9]+|\\*)])?\\)");

    private Quoted() {}

    static List<String> in(String text) {
        var found = new ArrayList<String>();
        var matcher = REFERENCE.matcher(text);
        while (matcher.find()) {
            found.add("tasks." + matcher.group(1) + ".results." + matcher.group(2));
        }
        return found;
    }
}
