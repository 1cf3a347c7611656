package wire

import "encoding/binary"

// maxShortstr is what the length octet of a short string can say.
const maxShortstr = 255

// AppendShortstr appends s as a short string: a length octet, then the bytes
// (section 4.2.5.3). A string longer than 255 octets (bytes, not characters)
// is a *ShortstrError and appends nothing.
func AppendShortstr(dst []byte, s string) ([]byte, error) {
	if len(s) > maxShortstr {
		return dst, &ShortstrError{Len: len(s)}
	}
	dst = append(dst, byte(len(s)))
	return append(dst, s...), nil
}

// AppendLongstr appends s as a long string: a 32-bit length, then the bytes
// (section 4.2.5.3). A string whose length does not fit 32 bits does not fit
// any frame either: whoever builds the frame refuses it.
func AppendLongstr(dst []byte, s string) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(s)))
	return append(dst, s...)
}
