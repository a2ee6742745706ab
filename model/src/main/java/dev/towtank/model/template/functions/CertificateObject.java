package dev.towtank.model.template.functions;

import dev.towtank.model.template.GoObject;
import dev.towtank.model.template.GoType;
import org.jspecify.annotations.Nullable;

/// What `genCA` and its like give: a certificate and its key, both in PEM.
record CertificateObject(String certificate, String key) implements GoObject {
    static final GoType TYPE = GoType.of(CertificateObject.class, "sprig.certificate");

    @Override
    public String type() {
        return "sprig.certificate";
    }

    @Override
    public @Nullable Member member(String name) {
        return switch (name) {
            case "Cert" -> new Field(certificate);
            case "Key" -> new Field(key);
            default -> null;
        };
    }

    @Override
    public String text() {
        return "{" + certificate + " " + key + "}";
    }

    // A key does not show by accident.
    @Override
    public String toString() {
        return "CertificateObject[" + certificate.length() + " characters]";
    }
}
