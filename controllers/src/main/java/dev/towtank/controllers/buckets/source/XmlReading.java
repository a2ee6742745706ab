package dev.towtank.controllers.buckets.source;

import dev.towtank.controllers.buckets.s3.S3Refusal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/// The small documents that clients and object stores send: lists of entries with texts in them.
public final class XmlReading {

    private static final int LARGEST = 4 << 20;
    private static final int DEEPEST = 8;

    /// @param texts directly in the root
    /// @param entries texts of its children of the wanted name, by their names
    public record Document(Map<String, String> texts, List<Map<String, String>> entries) {}

    private XmlReading() {}

    /// @param most how many entries there may be
    public static Document read(InputStream body, String root, String entry, int most) throws IOException, S3Refusal {
        return read(body, root, Set.of(entry), most);
    }

    /// Entries of several names; each has its name under an empty text.
    public static Document read(InputStream body, String root, Set<String> entries, int most)
            throws IOException, S3Refusal {
        try {
            return new Reader(reader(body), entries, most).read(root);
        } catch (XMLStreamException e) {
            throw S3Refusal.malformed("it cannot be read");
        }
    }

    /// The texts of all elements of a name, wherever they are.
    public static List<String> texts(InputStream body, String name) throws IOException, S3Refusal {
        try {
            var xml = reader(body);
            var found = new ArrayList<String>();
            while (xml.hasNext()) {
                if (xml.next() == XMLStreamConstants.START_ELEMENT
                        && xml.getLocalName().equals(name)) {
                    found.add(xml.getElementText());
                }
            }
            return found;
        } catch (XMLStreamException e) {
            throw S3Refusal.malformed("it cannot be read");
        }
    }

    private static XMLStreamReader reader(InputStream body) throws IOException, S3Refusal, XMLStreamException {
        var bytes = body.readNBytes(LARGEST);
        if (body.read() >= 0) {
            throw S3Refusal.malformed("it is larger than " + LARGEST + " bytes");
        }
        var factory = XMLInputFactory.newDefaultFactory();
        // Neither DTDs, nor entities of their own, nor anything from elsewhere.
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        return factory.createXMLStreamReader(new ByteArrayInputStream(bytes));
    }

    private static final class Reader {
        private final XMLStreamReader xml;
        private final Set<String> entry;
        private final int most;
        private final Map<String, String> texts = new HashMap<>();
        private final List<Map<String, String>> entries = new ArrayList<>();

        Reader(XMLStreamReader xml, Set<String> entry, int most) {
            this.xml = xml;
            this.entry = entry;
            this.most = most;
        }

        Document read(String root) throws XMLStreamException, S3Refusal {
            var path = new ArrayList<String>();
            var text = new StringBuilder();
            while (xml.hasNext()) {
                switch (xml.next()) {
                    case XMLStreamConstants.START_ELEMENT -> {
                        path.add(xml.getLocalName());
                        text.setLength(0);
                        begun(path, root);
                    }
                    case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> text.append(xml.getText());
                    case XMLStreamConstants.END_ELEMENT -> {
                        ended(path, text.toString());
                        path.removeLast();
                        text.setLength(0);
                    }
                    default -> {}
                }
            }
            return new Document(texts, entries);
        }

        private void begun(List<String> path, String root) throws S3Refusal {
            if (!path.getFirst().equals(root)) {
                throw S3Refusal.malformed("it is no " + root);
            }
            if (path.size() > DEEPEST) {
                throw S3Refusal.malformed("it is too deep");
            }
            if (path.size() == 2 && entry.contains(path.getLast())) {
                if (entries.size() == most) {
                    throw S3Refusal.malformed("it has more than " + most + " of " + String.join(", ", entry));
                }
                entries.add(new HashMap<>(Map.of("", path.getLast())));
            }
        }

        private void ended(List<String> path, String text) {
            if (path.size() == 2 && !entry.contains(path.getLast())) {
                texts.put(path.getLast(), text);
            } else if (path.size() == 3 && entry.contains(path.get(1))) {
                entries.getLast().put(path.getLast(), text);
            }
        }
    }
}
