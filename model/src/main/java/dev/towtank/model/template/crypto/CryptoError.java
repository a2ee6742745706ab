package dev.towtank.model.template.crypto;

/// A key or certificate that cannot be read or made. The message never holds any of it.
public final class CryptoError extends RuntimeException {
    private static final long serialVersionUID = 1;

    public CryptoError(String message) {
        super(message, null, false, false);
    }

    /// Never null, unlike that of other exceptions.
    public String text() {
        return String.valueOf(getMessage());
    }
}
