package rediscache

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/purecuda/purecuda/rtc/cache"
)

func init() {
	for _, scheme := range []string{"redis", "redis-cluster", "redis-sentinel"} {
		cache.Register(scheme, Open)
		cache.Register(strings.Replace(scheme, "redis", "rediss", 1), Open)
	}
}

// Open makes a Store from a URL; it is what cache.Open calls. The schemes:
//
//	redis://user:password@host:6379/0       one server, and the number of its database
//	redis-cluster://user:password@host:6379 a cluster, of which that is one server
//	redis-sentinel://user:password@host:26379/0?master=name
//
// and rediss, rediss-cluster, rediss-sentinel, the same over TLS. The parameters:
//
//	ttl=720h, max=16MiB, timeout=500ms, prefix=purecuda:  as in Config
//	sign=/file        a file with a key to sign with; several times for Config.Sign in that order
//	addr=host:port    another server of the cluster, or another sentinel; several times
//	sentinel-user=, sentinel-password=                    of the sentinels, which the URL's own are not
//	ca=/file          certificates that sign the server's, instead of the system's
//	cert=/file, key=/file                                 the client's own certificate
//	pool=10           the most connections to a server
func Open(u *url.URL, _ cache.OpenConfig) (cache.Store, error) {
	q := cache.NewQuery(u)
	c := Config{Prefix: q.Text("prefix"), TTL: q.Duration("ttl"), MaxEntry: q.Size("max"), Timeout: q.Duration("timeout")}
	for _, file := range q.Texts("sign") {
		key, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("sign: %w", err)
		}
		c.Sign = append(c.Sign, bytes.TrimRight(key, "\r\n"))
	}
	options, err := optionsOf(u, q)
	if err != nil {
		return nil, err
	}
	if err := q.Err(); err != nil {
		return nil, err
	}
	options.ReadTimeout = max(c.Timeout, 5*time.Second) // no less than usual
	if c.MaxEntry <= 0 {
		c.MaxEntry = usualEntry
	}
	bound(options, c.MaxEntry)
	client := redis.NewUniversalClient(options)
	s, err := New(client, c)
	if err != nil {
		client.Close()
		return nil, err
	}
	s.place = options.Addrs[0]
	return s, nil
}

func optionsOf(u *url.URL, q *cache.Query) (*redis.UniversalOptions, error) {
	o := &redis.UniversalOptions{
		Protocol: 2, DisableIdentity: true, // texts are all there is to read
		ContextTimeoutEnabled: true, MaxRetries: 1, DialerRetries: 1, // what fails is compiled: better soon
	}
	port := "6379"
	kind := strings.TrimPrefix(strings.TrimPrefix(u.Scheme, "rediss"), "redis")
	switch kind {
	case "-cluster":
		o.IsClusterMode = true
	case "-sentinel":
		port = "26379"
		if o.MasterName = q.Text("master"); o.MasterName == "" {
			return nil, errors.New("master=, the name that the sentinels know the server by, is missing")
		}
		o.SentinelUsername, o.SentinelPassword = q.Text("sentinel-user"), q.Text("sentinel-password")
	}
	if u.Hostname() == "" {
		return nil, errors.New("the URL names no host")
	}
	if u.Port() != "" {
		port = u.Port()
	}
	o.Addrs = []string{net.JoinHostPort(u.Hostname(), port)}
	if kind != "" {
		for _, addr := range q.Texts("addr") {
			if host, _, err := net.SplitHostPort(addr); err != nil || host == "" {
				return nil, fmt.Errorf("addr=%s is no host:port", addr)
			}
			o.Addrs = append(o.Addrs, addr)
		}
	}
	o.Username = u.User.Username()
	o.Password, _ = u.User.Password()
	if text := q.Text("pool"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n <= 0 {
			return nil, fmt.Errorf("pool=%s is no number of connections", text)
		}
		o.PoolSize = n
	}
	if path := strings.Trim(u.Path, "/"); path != "" {
		n, err := strconv.Atoi(path)
		if err != nil || n < 0 || o.IsClusterMode {
			return nil, fmt.Errorf("/%s is no database: a number, and none for a cluster", path)
		}
		o.DB = n
	}
	if strings.HasPrefix(u.Scheme, "rediss") {
		var err error
		if o.TLSConfig, err = tlsOf(u, q); err != nil {
			return nil, err
		}
	}
	return o, nil
}

func tlsOf(u *url.URL, q *cache.Query) (*tls.Config, error) {
	c := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: u.Hostname()}
	if file := q.Text("ca"); file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("ca: %w", err)
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("ca: %s has no certificate in PEM form", file)
		}
	}
	certificate, key := q.Text("cert"), q.Text("key")
	if certificate != "" || key != "" {
		pair, err := tls.LoadX509KeyPair(certificate, key)
		if err != nil {
			return nil, fmt.Errorf("cert, key: %w", err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}
