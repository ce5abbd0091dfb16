//go:build unix

package rediscache_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/cache/cachetest"
)

// works puts an entry and gets it.
func works(t *testing.T, text string) {
	t.Helper()
	s := open(t, text)
	require.NoError(t, s.Put(context.Background(), cachetest.Key(1), cachetest.Entry(1, 1000)), text)
	e, err := s.Get(context.Background(), cachetest.Key(1))
	require.NoError(t, err, text)
	assert.True(t, e.Equal(cachetest.Entry(1, 1000)))
}

// refused has a server, or the way to it, refuse the client. The error tells
// why, and no password.
func refused(t *testing.T, text, why string) {
	t.Helper()
	_, err := open(t, text).Get(context.Background(), cachetest.Key(1))
	require.ErrorContains(t, err, why, text)
	assert.NotContains(t, err.Error(), "secret")
	assert.NotErrorIs(t, err, cache.ErrMiss)
}

func TestAuth(t *testing.T) {
	s := start(t, "--requirepass", "secret0", "--user", "cache", "on", ">secret1", "~purecuda:*", "+@read", "+@write")
	works(t, "redis://:secret0@"+s.addr)
	works(t, "redis://cache:secret1@"+s.addr)
	refused(t, "redis://"+s.addr, "NOAUTH")
	refused(t, "redis://:secret2@"+s.addr, "WRONGPASS")
	refused(t, "redis://cache:secret1@"+s.addr+"?prefix=other:", "NOPERM")
}

func TestTLS(t *testing.T) {
	ca, other := newAuthority(t), newAuthority(t)
	certificate, key := ca.issue(t, "server")
	s := start(t, "--tls-cert-file", certificate, "--tls-key-file", key, "--tls-ca-cert-file", ca.file)
	own, ownKey := ca.issue(t, "client")
	pair := "&cert=" + own + "&key=" + ownKey
	works(t, "rediss://"+s.addr+"?ca="+ca.file+pair)
	refused(t, "rediss://"+s.addr+"?ca="+ca.file, "") // the reason or a reset, whichever comes first
	refused(t, "rediss://"+s.addr+"?ca="+other.file+pair, "certificate signed by unknown authority")
	refused(t, "rediss://"+s.addr, "certificate signed by unknown authority")
}

// An authority issues certificates for the loopback.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	file        string
}

func newAuthority(t *testing.T) authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	a := authority{key: key, file: filepath.Join(t.TempDir(), "ca.pem"), certificate: &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "an authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}}
	der, err := x509.CreateCertificate(rand.Reader, a.certificate, a.certificate, &key.PublicKey, key)
	require.NoError(t, err)
	writePEM(t, a.file, "CERTIFICATE", der)
	return a
}

func (a authority) issue(t *testing.T, name string) (certificate, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}, a.certificate, &key.PublicKey, a.key)
	require.NoError(t, err)
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	dir := t.TempDir()
	certificate, keyFile = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writePEM(t, certificate, "CERTIFICATE", der)
	writePEM(t, keyFile, "PRIVATE KEY", keyDER)
	return certificate, keyFile
}

func writePEM(t *testing.T, file, kind string, der []byte) {
	t.Helper()
	require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
}

func TestURL(t *testing.T) {
	dir := t.TempDir()
	keyFile, short, empty := filepath.Join(dir, "key"), filepath.Join(dir, "short"), filepath.Join(dir, "empty")
	require.NoError(t, os.WriteFile(keyFile, append(oldKey, '\n'), 0o600))
	require.NoError(t, os.WriteFile(short, []byte("short\n"), 0o600))
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	for _, text := range []string{"redis://host", "rediss://u:p@[::1]:1/2?pool=3&max=1MiB", "redis-cluster://a:1?addr=b:2&addr=c:3",
		"rediss-sentinel://a/1?master=main&sentinel-user=u&sentinel-password=p&addr=b:2", "redis://host?sign=" + keyFile + "&sign=" + keyFile} {
		s, err := cache.Open(text, cache.OpenConfig{})
		require.NoError(t, err, text)
		assert.NoError(t, s.Close())
	}
	assert.Equal(t, "redis host:6379", open(t, "redis://:secret@host").String())
	assert.Equal(t, "redis host:26379", open(t, "redis-sentinel://:secret@host?master=m").String())

	// The client's own timeout ends no call before the Store's does.
	assert.Equal(t, 30*time.Second, open(t, "redis://host?timeout=30s").ReadTimeout())
	assert.Equal(t, 5*time.Second, open(t, "redis://host?timeout=300ms").ReadTimeout())

	for _, c := range []struct{ text, says string }{
		{"redis:", "names no host"},
		{"redis://:secret@host/x", "/x is no database"},
		{"redis://host/-1", "no database"},
		{"redis-cluster://host/1", "none for a cluster"},
		{"redis-sentinel://host", "master=, the name"},
		{"redis-cluster://host?addr=b", "addr=b is no host:port"},
		{"redis://host?addr=b:1", "unknown parameter addr"},
		{"redis://host?master=main", "unknown parameter master"},
		{"redis://host?ca=/x", "unknown parameter ca"},
		{"redis://host?ttl=1d", "ttl=1d is no time"},
		{"redis://host?max=0", "no size"},
		{"redis://host?pool=many", "pool=many"},
		{"redis://host?sign=/none/such", "none/such"},
		{"redis://host?sign=" + short, "has 5 bytes"},
		{"redis://host?sign=" + empty, "has 0 bytes"},
		{"rediss://host?ca=" + empty, "has no certificate"},
		{"rediss://host?cert=" + empty, "cert, key"},
	} {
		s, err := cache.Open(c.text, cache.OpenConfig{})
		assert.ErrorContains(t, err, c.says, c.text)
		assert.Nil(t, s)
		assert.NotContains(t, err.Error(), "secret")
	}
}
