"""How is a receipt signed, and how does anybody check one? Ed25519, with the package `cryptography`.

It is imported when the first receipt is signed or checked, so that opening a memory does not wait for it.
"""

from glossator.errors import UsageError
from glossator.upkeep.receipts import is_genuine

KEY_BYTES = 32


class Ed25519Signer:
    """The signer that ships. Keys are the 32 raw bytes of RFC 8032."""

    def new_key(self) -> bytes:
        """A new private key."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.generate().private_bytes_raw()

    def public_key(self, key: bytes) -> bytes:
        """The public key that belongs to a private key."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(key).public_key().public_bytes_raw()

    def public_pem(self, public_key: bytes) -> str:
        """The public key as PEM."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        key = Ed25519PublicKey.from_public_bytes(public_key)
        return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()

    def signature(self, key: bytes, message: bytes) -> bytes:
        """The signature of the message."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(key).sign(message)


def verify_receipt(receipt_json: str | bytes, public_key: str | bytes) -> bool:
    """True if the receipt is, byte for byte, one that the owner of this key signed.

    `public_key` is what `Memory.receipt_key()` gave: PEM, or 64 hexadecimal digits. Needs no memory and no network.
    Raises UsageError for what is no such key.
    """
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    key = Ed25519PublicKey.from_public_bytes(public_key_bytes(public_key))

    def verify(signature: bytes, message: bytes) -> bool:
        try:
            key.verify(signature, message)
        except InvalidSignature:
            return False
        return True

    return is_genuine(receipt_json, verify)


def public_key_bytes(public_key: str | bytes) -> bytes:
    """The 32 bytes of a key in PEM, in hexadecimal digits, or raw. Raises UsageError for anything else."""
    if isinstance(public_key, bytes) and len(public_key) == KEY_BYTES:
        return public_key
    try:
        text = (public_key.decode() if isinstance(public_key, bytes) else public_key).strip()
        raw = _from_pem(text) if text.startswith("-----BEGIN") else bytes.fromhex(text)
    except ValueError as error:
        raise _no_key() from error
    if len(raw) != KEY_BYTES:
        raise _no_key()
    return raw


def _from_pem(text: str) -> bytes:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    key = load_pem_public_key(text.encode())
    if not isinstance(key, Ed25519PublicKey):
        raise ValueError("no Ed25519 key")  # noqa: TRY004 - as for what is no PEM at all
    return key.public_bytes_raw()


def _no_key() -> UsageError:
    return UsageError("public_key", "is no Ed25519 public key", remedy="pass what Memory.receipt_key() gave")
