package dev.towtank.controllers.buckets.s3;

import java.util.ArrayDeque;
import java.util.Deque;

/// Writes an XML document from its first element to its last.
public final class XmlText {

    /// Of all documents but errors.
    public static final String NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";

    private final StringBuilder text = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    private final Deque<String> open = new ArrayDeque<>();

    /// @param namespace may be empty
    public XmlText(String root, String namespace) {
        text.append('<').append(root);
        if (!namespace.isEmpty()) {
            text.append(" xmlns=\"").append(namespace).append('"');
        }
        text.append('>');
        open.push(root);
    }

    public XmlText begin(String element) {
        text.append('<').append(element).append('>');
        open.push(element);
        return this;
    }

    public XmlText end() {
        text.append("</").append(open.pop()).append('>');
        return this;
    }

    public XmlText text(String element, String value) {
        begin(element);
        value.codePoints().forEach(this::character);
        return end();
    }

    public XmlText text(String element, long value) {
        return text(element, Long.toString(value));
    }

    private void character(int point) {
        switch (point) {
            case '&' -> text.append("&amp;");
            case '<' -> text.append("&lt;");
            case '>' -> text.append("&gt;");
            case '"' -> text.append("&quot;");
            case '\r' -> text.append("&#13;");
            default -> {
                // XML 1.0 cannot say the others at all: clients that have such keys ask for URL encoding.
                boolean isSayable = point >= ' ' || point == '\t' || point == '\n';
                text.appendCodePoint(isSayable && point != 0xFFFE && point != 0xFFFF ? point : 0xFFFD);
            }
        }
    }

    public String done() {
        while (!open.isEmpty()) {
            end();
        }
        return text.toString();
    }
}
