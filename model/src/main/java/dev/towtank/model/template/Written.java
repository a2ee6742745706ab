package dev.towtank.model.template;

import java.util.List;

/// What a template wrote.
///
/// @param lines for each line of the text, the line of the template that wrote its beginning
public record Written(String text, List<Integer> lines) {
    public Written {
        lines = List.copyOf(lines);
    }
}
